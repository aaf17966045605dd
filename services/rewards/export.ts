import { plainJson, takeWithinSize } from '@cord/kit/plain-json';
import type { OrderStore } from './badge/order-store.js';
import type { Refunds } from './badge/refunds.js';
import type { RewardsStore } from './store.js';

/** Maximum JSON bytes of orders and of refunds in an export: the response must fit NATS's 1 MB message. One order may take 40 KB. */
const ORDERS_BYTES_MAX = 500_000;
const REFUNDS_BYTES_MAX = 300_000;

interface Parts {
  store: Pick<RewardsStore, 'holders'>;
  orders: Pick<OrderStore, 'newest'>;
  refunds: Pick<Refunds, 'newest'>;
}

/** Returns all data of a user for the data export; orders and refunds newest first, within their byte limits. */
export async function exportOf({ store, orders, refunds }: Parts, userId: string): Promise<Record<string, unknown>> {
  const [rewards, badgeOrders, badgeRefunds] = await Promise.all([
    store.holders.get(userId),
    takeWithinSize(ORDERS_BYTES_MAX, orders.newest(userId)),
    takeWithinSize(REFUNDS_BYTES_MAX, refunds.newest(userId)),
  ]);
  return { ...plainJson({ rewards }), badgeOrders, badgeRefunds };
}
