import { filtersOfUser, type SubjectKind } from '@cord/contracts/events/envelope';
import { streamHolding, streamOf } from '@cord/contracts/events/streams';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Nats } from './nats.js';

/** JetStream errors for a message that is gone, whether it was the last one or not. */
const GONE = new Set([10_043, 10_057]);

/** Whether the message to delete was already gone. */
export function isGone(err: unknown): boolean {
  return err instanceof JetStreamApiError && GONE.has(err.code);
}

/**
 * Deletes a user's events from the service's own streams.
 * @param upTo last position to delete; all when omitted. Only for kinds that name one user
 */
export async function purgeUserEvents(
  nats: Pick<Nats, 'jsm'>,
  kinds: readonly SubjectKind[],
  userId: string,
  upTo?: number,
): Promise<void> {
  for (const kind of kinds) {
    for (const filter of filtersOfUser(kind, userId)) await purge(nats, streamOf(kind.thing).name, filter, upTo);
  }
}

/** Deletes the events of one subject from its stream; does nothing when no stream holds it. */
export async function purgeSubject(nats: Pick<Nats, 'jsm'>, subject: string): Promise<void> {
  const stream = streamHolding(subject.split('.')[1] ?? '');
  if (stream) await purge(nats, stream.name, subject);
}

/**
 * Deletes a subject's messages one by one. In NATS 2.9 JetStream's filtered purge resets the in-flight messages of the stream's
 * consumers, for every subject: delivered but unacknowledged ones are never redelivered, without an error.
 * @param filter a subject; with wildcards only when all matches may go. Each subject has one message at most: NATS 2.9 finds no last one
 * of a subject whose last one was deleted
 */
export async function purge(
  { jsm }: Pick<Nats, 'jsm'>,
  stream: string,
  filter: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  while (true) {
    const last = await jsm.streams.getMessage(stream, { last_by_subj: filter });
    if (!last || last.seq > upTo) return;
    await remove({ jsm }, stream, last.seq);
  }
}

/** Deletes a message; nothing happens if another replica was faster. */
export async function remove({ jsm }: Pick<Nats, 'jsm'>, stream: string, place: number): Promise<void> {
  try {
    await jsm.streams.deleteMessage(stream, place, false);
  } catch (err) {
    if (!isGone(err)) throw err;
  }
}
