import type { mongo } from 'mongoose';
import type { NoticeDoc } from '../../../services/notices/inbox/notice.js';
import type { StoredOrder } from '../../../services/rewards/badge/order-store.js';
import type { Refund } from '../../../services/rewards/badge/refunds.js';
import type { HolderDocument } from '../../../services/rewards/store.js';
import type { Reading } from '../store/mongo-source.js';

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
  /** The orders that a transaction was taken for. */
  takenFor(): AsyncIterable<string>;
  /** Notices of payments. */
  notices(): AsyncIterable<NoticeDoc>;
}

export function mongoPayments(databaseOf: (service: string) => mongo.Db, reading: Reading): PaymentSource {
  const all = <D>(service: string, name: string, filter: object): AsyncIterable<D> => {
    const read = reading(service, name);
    return databaseOf(service)
      .collection(name)
      .find(filter, { noCursorTimeout: true })
      .map((stored) => read(stored) as D);
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
