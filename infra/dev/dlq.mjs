/** `npm run dlq -- list | retry [PLACE]`: the dead letters of a running system. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommand, runCommand } from './starter/commands.mjs';
import { readJson } from './starter/files.mjs';
import { SETUP_USER } from './starter/nats.mjs';
import { StartError } from './starter/problems.mjs';
import { runFile } from './starter/run-file.mjs';

const USAGE = `npm run dlq -- list | retry [PLACE]   [--data DIR]
  list    shows the dead letters: place, consumer, subject, tries, reason
  retry   publishes the one at PLACE (or all) again; consumers ignore what they have seen already`;
const CONNECT_TIMEOUT_MS = 5_000;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  const [verb, place, ...rest] = words;
  const fits =
    rest.length === 0 && (verb === 'retry' ? /^\d*$/.test(place ?? '') : verb === 'list' && place === undefined);
  if (!fits) throw new StartError(USAGE);
  const nats = await connect(dataDir);
  try {
    const deadLetters = await import('@cord/kit/nats/dead-letters');
    await (verb === 'list' ? list(nats, deadLetters) : retry(nats, deadLetters, place));
  } finally {
    await nats.drain();
  }
});

async function list(nats, { listDeadLetters, countDeadLetters }) {
  for (const { deadSeq, durable, subject, deliveries, at, reason } of await listDeadLetters(nats)) {
    console.log(`${deadSeq}  ${at}  ${durable}  ${subject}  ${deliveries} tries  ${reason}`);
  }
  console.log(`${await countDeadLetters(nats)} dead letters`);
}

async function retry(nats, { listDeadLetters, retryDeadLetter }, place) {
  const places = place ? [Number(place)] : (await listDeadLetters(nats)).map(({ deadSeq }) => deadSeq);
  for (const deadSeq of places) {
    const outcome = await retryDeadLetter(nats, deadSeq).catch((error) => {
      if (error instanceof RangeError) return error.message;
      throw error;
    });
    console.log(`${deadSeq}  ${outcome}`);
  }
  console.log(`${places.length} dead letters handled`);
}

async function connect(dataDir) {
  const running = await readJson(runFile(dataDir));
  if (!running)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  const { connectNats } = await import('@cord/kit/nats');
  const { createLogger } = await import('@cord/kit/log');
  const password = await readFile(join(dataDir, 'secrets', `nats-${SETUP_USER}`), 'utf8').catch(() => undefined);
  const url = new URL(running.natsUrl);
  if (running.services.nats?.length && password)
    Object.assign(url, { username: SETUP_USER, password: password.trim() });
  const settings = { NATS_URL: url.href, NATS_CREDS: process.env.NATS_CREDS };
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  return connectNats(settings, SETUP_USER, createLogger('dlq', 'fatal'), signal).catch(() => {
    throw new StartError(`NATS at ${url.host} does not answer.`);
  });
}
