import { subjectOf } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import { anticheatAssessed, userRegistered, userUpdated } from '@cord/contracts/events/user';
import type { Nats } from '@cord/kit/nats';
import { purgeDeadLetters } from '@cord/kit/nats/dead-letters';

/** Takes the events that carry a user's name, picture or address key out of the stream, and all dead letters (money.md, Erasure). */
export async function purgeUserEvents(nats: Nats, userId: string): Promise<void> {
  for (const kind of [userRegistered, userUpdated, anticheatAssessed]) {
    await nats.jsm.streams.purge(streamOf(kind.thing).name, { filter: subjectOf(kind, userId) });
  }
  await purgeDeadLetters(nats, userId);
}
