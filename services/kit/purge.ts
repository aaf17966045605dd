import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import type { Nats } from './nats.js';

/** Takes an erased user's events out of the streams that the service owns (money.md, Erasure). */
export async function purgeUserEvents(
  nats: Pick<Nats, 'jsm'>,
  kinds: readonly Pick<EventKind, 'thing' | 'verb'>[],
  userId: string,
): Promise<void> {
  for (const kind of kinds) {
    await nats.jsm.streams.purge(streamOf(kind.thing).name, { filter: subjectOf(kind, userId) });
  }
}
