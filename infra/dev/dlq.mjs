/** `npm run dlq -- list | retry [PLACE]`: the dead letters of a running system. */
import { readCommand, runCommand } from './starter/commands.mjs';
import { StartError } from './starter/problems.mjs';
import { connectAsSetup } from './starter/setup-connection.mjs';

const USAGE = `npm run dlq -- list | retry [PLACE]   [--data DIR]
  list    shows the dead letters: place, consumer, subject, tries, reason
  retry   publishes the one at PLACE (or all) again; consumers ignore what they have seen already`;

await runCommand(async () => {
  const { words, dataDir } = readCommand(process.argv.slice(2), USAGE);
  const [verb, place, ...rest] = words;
  const fits =
    rest.length === 0 && (verb === 'retry' ? /^\d*$/.test(place ?? '') : verb === 'list' && place === undefined);
  if (!fits) throw new StartError(USAGE);
  const nats = await connectAsSetup(dataDir);
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
