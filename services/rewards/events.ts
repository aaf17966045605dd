import { READS } from '@cord/contracts/events/reads';
import { badgePurchased, badgeRefunded, claimMade } from '@cord/contracts/events/rewards';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import { withoutOutbox } from '@cord/kit/outbox/items';
import { purgeUserEvents } from '@cord/kit/purge';
import type { OrderStore } from './badge/order-store.js';
import type { Refunds } from './badge/refunds.js';
import type { RewardsStore } from './store.js';

const reads = READS.rewards;

/** Listens to auth: who is there, since when, and who is gone. */
export function listen(
  nats: Nats,
  { store, orders, refunds }: { store: RewardsStore; orders: OrderStore; refunds: Refunds },
): Consuming {
  return nats.consume({
    stream: 'CORD_USERS',
    handlers: [
      on(reads.userRegistered, async ({ userId, joinedAt, returning }) =>
        store.holders.change(userId, (holder) => ({
          doc: holder.joinedAtMs === null && !holder.erased ? { ...holder, joinedAtMs: joinedAt, returning } : null,
          result: undefined,
        })),
      ),
      on(reads.userErased, async ({ userId }) => {
        await store.holders.change(userId, (holder) => ({
          doc: { ...withoutOutbox(holder), badge: null, erased: true },
          result: undefined,
        }));
        await orders.erase(userId);
        await refunds.erase(userId);
        await purgeUserEvents(nats, [badgePurchased, badgeRefunded, claimMade], userId);
      }),
    ],
  });
}
