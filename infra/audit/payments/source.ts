import type { mongo } from 'mongoose';
import type { NoticeDoc } from '../../../services/notices/inbox/notice.js';
import type { StoredOrder } from '../../../services/rewards/badge/order-store.js';
import type { Refund } from '../../../services/rewards/badge/refunds.js';
import type { HolderDocument } from '../../../services/rewards/store.js';
import type { Reading } from '../store/mongo-source.js';
import { paged } from '../store/pages.js';

const PAGE_SIZE = 100;

/** Orders, refunds and the notices about both. */
export interface PaymentSource {
  orders(): AsyncIterable<StoredOrder>;
  order(id: string): Promise<StoredOrder | null>;
  refunds(): AsyncIterable<Refund>;
  refund(id: string): Promise<Refund | null>;
  refundOf(signature: string): Promise<Refund | null>;
  /** Holders of the badge. */
  holders(): AsyncIterable<HolderDocument>;
  holder(userId: string): Promise<HolderDocument | null>;
  /** Returns the orders for which a transaction was claimed. */
  takenFor(): AsyncIterable<string>;
  /** Notices of payments. */
  notices(): AsyncIterable<NoticeDoc>;
}

/** @param pageSize documents per page: each may be checked on the chain, which takes time, before the next page is read */
export function mongoPayments(
  databaseOf: (service: string) => mongo.Db,
  reading: Reading,
  pageSize = PAGE_SIZE,
): PaymentSource {
  const all = async function* <D>(service: string, name: string, filter: object): AsyncGenerator<D> {
    const read = reading(service, name);
    for await (const stored of paged(databaseOf(service).collection(name), filter, [['_id', 1]], pageSize))
      yield read(stored) as D;
  };
  const one = async <D>(name: string, filter: object): Promise<D | null> => {
    const stored = await databaseOf('rewards').collection(name).findOne(filter);
    return stored && (reading('rewards', name)(stored) as D);
  };
  return {
    orders: () => all('rewards', 'orders', {}),
    order: (_id) => one('orders', { _id }),
    refunds: () => all('rewards', 'refunds', {}),
    refund: (_id) => one('refunds', { _id }),
    refundOf: (signature) => one('refunds', { signature }),
    holders: () => all('rewards', 'holders', { 'badge.orderId': { $gt: '' } }),
    holder: (_id) => one('holders', { _id }),
    async *takenFor() {
      for await (const { orderId } of all<{ orderId: string }>('rewards', 'signatures', {})) yield orderId;
    },
    notices: () => all('notices', 'notices', { kind: 'payment' }),
  };
}
