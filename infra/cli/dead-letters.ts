import type { Nats } from '@cord/kit/nats';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { oneLine } from '../deploy/store/one-line.ts';
import { StartError } from '../dev/starter/problems.mjs';
import { withSetup } from '../dev/starter/streams.ts';
import { userName } from '../dev/starter/user-name.ts';
import { dataDirOf, dataOption, type OfSystem, refusing } from './system.ts';

const PAYLOAD_CHARS_SHOWN = 2_000;

interface OfRetry extends OfSystem {
  all?: boolean;
}

/** `cord dead-letters`: lists and retries messages that a consumer gave up on. */
export function deadLettersCommand(): Command {
  const letters = new Command('dead-letters')
    .summary('list and retry dead letters')
    .description('The dead letters of a running system; if none runs on this machine, of the NATS at NATS_URL.');
  letters
    .command('list')
    .description('place, consumer, subject, tries, reason and message')
    .addOption(dataOption())
    .action(refusing(list));
  letters
    .command('retry')
    .description(
      'publishes the message again from its stream; consumers that have processed it ignore it. Each retry ' +
        'is recorded in the audit log with the user of this machine; auth must be running',
    )
    .addArgument(new Argument('[place]', 'the place of one dead letter').argParser(placeOf))
    .addOption(new Option('--all', 'every dead letter'))
    .addOption(dataOption())
    .action(refusing(retry));
  return letters;
}

function placeOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('The place is the first number of a line of list.');
  return Number(text);
}

function list(options: OfSystem): Promise<void> {
  return withSetup(dataDirOf(options), async (nats) => {
    const { listDeadLetters, countDeadLetters } = await import('@cord/kit/nats/dead-letters');
    for (const { deadSeq, durable, subject, deliveries, at, reason, payload } of await listDeadLetters(nats)) {
      console.log(`${deadSeq}  ${at}  ${shown(durable)}  ${shown(subject)}  ${deliveries} tries  ${shown(reason)}`);
      console.log(`    ${shown(payload)}`);
    }
    console.log(`${await countDeadLetters(nats)} dead letters`);
  });
}

function retry(place: number | undefined, options: OfRetry): Promise<void> {
  if ((place === undefined) !== (options.all ?? false)) throw new StartError('retry takes one place, or --all.');
  return withSetup(dataDirOf(options), async (nats) => {
    const { deadLetterPlaces, retryDeadLetter } = await import('@cord/kit/nats/dead-letters');
    let [handled, all] = [0, 0];
    for await (const deadSeq of place === undefined ? deadLetterPlaces(nats) : [place]) {
      all += 1;
      const before = async ({ subject, payload }: { subject: string; payload: string }) => {
        console.log(`${deadSeq}  ${shown(subject)}\n    ${shown(payload)}`);
        await noteRetry(nats, deadSeq, subject);
      };
      try {
        console.log(`${deadSeq}  ${await retryDeadLetter(nats, deadSeq, before)}`);
        handled += 1;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        console.log(`${deadSeq}  ${shown(error.message)}`);
      }
    }
    console.log(`${handled} of ${all} dead letters handled`);
    if (handled < all) process.exitCode = 1;
  });
}

/** Records the retry in auth's audit log. @throws {StartError} when auth does not respond; then nothing is published */
async function noteRetry(nats: Nats, deadSeq: number, subject: string): Promise<void> {
  const { auditNoteRpc } = await import('@cord/contracts/rpc/audit');
  const at = subject.lastIndexOf('.');
  const detail = { by: userName(), event: subject.slice(0, at), place: String(deadSeq) };
  const act = { action: 'dead-letter.retry' as const, target: subject.slice(at + 1), detail };
  await nats.request(auditNoteRpc, act).catch((error: Error) => {
    throw new StartError(`the audit log could not be written, so nothing was published: ${error.message}`);
  });
}

/** Shortens and escapes text written by a service. */
function shown(text: string): string {
  return oneLine(text.length <= PAYLOAD_CHARS_SHOWN ? text : `${text.slice(0, PAYLOAD_CHARS_SHOWN)}…`);
}
