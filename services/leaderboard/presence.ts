import { presenceMessage, presenceSubject } from '@cord/contracts/events/presence';
import type { Clock } from '@cord/kit/clock';
import { jsonIn } from '@cord/kit/json';
import type { Nats } from '@cord/kit/nats';
import type { Consuming } from '@cord/kit/nats/consume';
import type { Presence } from './domain/presence.js';

/** Subscribes to all services' messages about authenticated requests. */
export function followPresence(nats: Nats, presence: Presence, clock: Clock): Consuming {
  const subscription = nats.nc.subscribe(presenceSubject('*'), {
    callback(err, msg) {
      if (err) return;
      const message = presenceMessage.safeParse(jsonIn(msg.string()));
      if (!message.success) return;
      for (const userId of message.data.userIds) presence.markSeen(userId, clock.now());
    },
  });
  return { stop: async () => subscription.unsubscribe() };
}
