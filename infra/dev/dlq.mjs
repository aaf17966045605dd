/** `npm run dlq -- list | retry PLACE | retry --all`: the dead letters of a running system. */
import { userInfo } from 'node:os';
import { readCommand, runCommand } from './starter/commands.mjs';
import { StartError } from './starter/problems.mjs';
import { connectAsSetup } from './starter/setup-connection.mjs';

const USAGE = `npm run dlq -- list | retry PLACE | retry --all   [--data DIR]
  list         shows the dead letters: place, consumer, subject, tries, reason, and the message as the letter has it
  retry PLACE  shows the message as it stands in its stream, and publishes it again; consumers ignore what they have seen already
  retry --all  the same for every dead letter
  Each retry stands in the audit log with the user of this machine; auth must be running.`;
const PAYLOAD_CHARS_SHOWN = 2_000;

await runCommand(async () => {
  const { words, values, dataDir } = readCommand(process.argv.slice(2), USAGE, { all: { type: 'boolean' } });
  const [verb, place, ...rest] = words;
  const fits =
    rest.length === 0 &&
    (verb === 'list'
      ? place === undefined && !values.all
      : verb === 'retry' && (values.all ? place === undefined : /^\d+$/.test(place ?? '')));
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
  for (const { deadSeq, durable, subject, deliveries, at, reason, payload } of await listDeadLetters(nats)) {
    console.log(`${deadSeq}  ${at}  ${shown(durable)}  ${shown(subject)}  ${deliveries} tries  ${shown(reason)}`);
    console.log(`    ${shown(payload)}`);
  }
  console.log(`${await countDeadLetters(nats)} dead letters`);
}

async function retry(nats, { listDeadLetters, retryDeadLetter }, place) {
  const places = place ? [Number(place)] : (await listDeadLetters(nats)).map(({ deadSeq }) => deadSeq);
  for (const deadSeq of places) {
    const before = async ({ subject, payload }) => {
      console.log(`${deadSeq}  ${shown(subject)}\n    ${shown(payload)}`);
      await noteRetry(nats, deadSeq, subject);
    };
    const outcome = await retryDeadLetter(nats, deadSeq, before).catch((error) => {
      if (error instanceof RangeError) return error.message;
      throw error;
    });
    console.log(`${deadSeq}  ${shown(outcome)}`);
  }
  console.log(`${places.length} dead letters handled`);
}

/** The act in auth's audit log. @throws {StartError} where auth does not answer: then nothing is published */
async function noteRetry(nats, deadSeq, subject) {
  const { auditNoteRpc } = await import('@cord/contracts/rpc/audit');
  const at = subject.lastIndexOf('.');
  const detail = { by: userInfo().username, event: subject.slice(0, at), place: String(deadSeq) };
  const act = { action: 'dead-letter.retry', target: subject.slice(at + 1), detail };
  await nats.request(auditNoteRpc, act).catch((error) => {
    throw new StartError(`the audit log could not be written, so nothing was published: ${error.message}`);
  });
}

/** Text that a service wrote, on one line and without anything that a terminal would obey. */
function shown(text) {
  const whole = text.length <= PAYLOAD_CHARS_SHOWN ? text : `${text.slice(0, PAYLOAD_CHARS_SHOWN)}…`;
  return whole.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
