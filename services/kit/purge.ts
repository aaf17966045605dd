import { filtersOfUser, type SubjectKind } from '@cord/contracts/events/envelope';
import { streamHolding, streamOf } from '@cord/contracts/events/streams';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Nats } from './nats.js';

/** JetStream: the message at that place is gone, as the server answers where it is the last and where it is not. */
const GONE = new Set([10_043, 10_057]);

/** Whether the server answers that the message to be deleted is gone already. */
export function isGone(err: unknown): boolean {
  return err instanceof JetStreamApiError && GONE.has(err.code);
}

/**
 * Takes a user's events out of the streams that the service owns.
 * @param upTo place in the stream up to which they go, itself too; all where it is left out. Only of kinds that name one user
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

/** Takes the events of one subject out of their stream; of a subject that no stream holds, nothing. */
export async function purgeSubject(nats: Pick<Nats, 'jsm'>, subject: string): Promise<void> {
  const stream = streamHolding(subject.split('.')[1] ?? '');
  if (stream) await purge(nats, stream.name, subject);
}

/**
 * Deletes the messages of a subject one by one. JetStream's own purge by a filter makes NATS 2.9 forget what the stream's consumers have
 * in hand, of every subject: what was delivered and not acknowledged never comes again, without an error.
 * @param filter a subject; with wildcards only where all of it goes
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
    try {
      await jsm.streams.deleteMessage(stream, last.seq, false);
    } catch (err) {
      // Another replica was faster.
      if (!isGone(err)) throw err;
    }
  }
}
