import { subjectOf } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import { userRegistered, userUpdated } from '@cord/contracts/events/user';
import type { Nats } from '@cord/kit/nats';

/** Takes the events that carry a user's name and picture out of the stream (money.md, Erasure). */
export async function purgeUserEvents(nats: Nats, userId: string): Promise<void> {
  for (const kind of [userRegistered, userUpdated]) {
    await nats.jsm.streams.purge(streamOf(kind.thing).name, { filter: subjectOf(kind, userId) });
  }
}
