import { setTimeout as sleep } from 'node:timers/promises';
import { type EventKind, type EventOf, subjectOf } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import { STATE_READ_MS } from '../bounds.js';
import type { Nats } from '../nats.js';
import { unavailable } from '../problem.js';

/**
 * Returns the last state that a user's owner has published, read from its stream. A service that needs it only occasionally
 * keeps no copy (services/README.md#events). Any replica of the stream responds, so it may be slightly behind.
 * @returns null when nothing was published for the user
 * @throws Problem 503 without a response in time
 */
export async function stateOf<K extends EventKind>(
  { jsm, log }: Pick<Nats, 'jsm' | 'log'>,
  kind: K,
  userId: string,
): Promise<EventOf<K> | null> {
  const subject = subjectOf(kind, userId);
  const answer = jsm.direct.getMessage(streamOf(kind.thing).name, { last_by_subj: subject });
  const message = await Promise.race([answer, rejectAfterTimeout()]).catch((err: unknown) => {
    throw unavailable('service-unavailable', `No response about ${subject}`, 1, err);
  });
  if (message === null) return null;
  const parsed = kind.schema.safeParse(message.json());
  if (parsed.success) return parsed.data as EventOf<K>;
  log.warn({ err: parsed.error, subject }, 'this release cannot read a state');
  return null;
}

async function rejectAfterTimeout(): Promise<never> {
  await sleep(STATE_READ_MS, undefined, { ref: false });
  throw new Error(`no response within ${STATE_READ_MS} ms`);
}
