import { supportAnswered } from '@cord/contracts/events/support';
import {
  anticheatAssessed,
  sessionOpened,
  userRegistered,
  userSettings,
  userUpdated,
} from '@cord/contracts/events/user';
import type { Nats } from '@cord/kit/nats';
import { purgeDeadLetters } from '@cord/kit/nats/dead-letters';
import { purgeUserEvents } from '@cord/kit/purge';

/** Takes the events that carry a user's name, picture or address key out of the stream, and all dead letters (services/README.md#erasure). */
export async function purgeUserTraces(nats: Nats, userId: string): Promise<void> {
  await purgeUserEvents(
    nats,
    [userRegistered, userUpdated, userSettings, sessionOpened, supportAnswered, anticheatAssessed],
    userId,
  );
  await purgeDeadLetters(nats, userId);
}
