import type { Caused } from '@cord/kit/cause';
import { documentSchema, upgrade } from '@cord/kit/document-schema';
import type { TimeSpan } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import { type Step, type Versioned, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { ERASED, type Order, showsSame, withoutBuyer } from '../domain/orders.js';

/** With the call that handed its payment in: the badge may come of it much later. */
export type StoredOrder = Order & Versioned & Caused;

/** The schemas that orders have had. */
export const ORDER = documentSchema<StoredOrder>('order');
const read = (stored: StoredOrder): StoredOrder => upgrade(stored, ORDER);

/** Orders shown at the most. */
const SHOWN_MAX = 50;
/** An erased user's orders, each changed by itself. */
const ERASED_MAX = 10_000;

export interface OrderStore {
  insert(order: StoredOrder): Promise<void>;
  /** @throws Problem 404 */
  get(id: string): Promise<StoredOrder>;
  /** @throws Problem 404 for another's or none */
  own(userId: string, id: string): Promise<StoredOrder>;
  /** Newest first. */
  ofUser(userId: string): Promise<StoredOrder[]>;
  /** Of a user, made in a span, the newest first. */
  within(userId: string, span: TimeSpan, most: number): Promise<StoredOrder[]>;
  /** Those that are paid and proven. */
  proven(userId: string): Promise<StoredOrder[]>;
  /** How many of a user may still be paid. */
  countOpen(userId: string, nowMs: number): Promise<number>;
  /** Changes an order by a pure step under compare-and-set. @throws Problem 404 */
  change<R>(id: string, step: (order: StoredOrder) => Step<StoredOrder, R>): Promise<R>;
  /** Orders to be looked for on the chain, who has waited longest first. */
  due(nowMs: number, limit: number): Promise<StoredOrder[]>;
  /** Puts off the next look. */
  postpone(id: string, lookAtMs: number): Promise<void>;
  /** What is still watched for payments stays, without its buyer; proven orders that are not go. */
  erase(userId: string): Promise<void>;
  /** Takes out an erased user's order that is not watched any more. */
  removeErased(id: string): Promise<void>;
}

const missing = () => notFound('order-not-found', 'Order not found');

/** @param onChanged called with the buyer of each order that was made, or that changed for its buyer */
export function createOrderStore(
  connection: Connection,
  onChanged: (userId: string) => void = () => undefined,
): OrderStore {
  const orders = connection.collection<StoredOrder>('orders');
  const none = (): never => {
    throw missing();
  };
  const documents = versionedDocuments<StoredOrder>(connection, 'orders', none, read);
  const store: OrderStore = {
    async insert(order) {
      await orders.insertOne(order);
      onChanged(order.userId);
    },
    async get(id) {
      const order = await orders.findOne({ _id: id });
      return order ? read(order) : none();
    },
    async own(userId, id) {
      const order = await orders.findOne({ _id: id, userId });
      return order ? read(order) : none();
    },
    ofUser: (userId) => orders.find({ userId }).sort({ createdAtMs: -1 }).limit(SHOWN_MAX).map(read).toArray(),
    within: (userId, { fromMs, belowMs }, most) =>
      orders
        .find({ userId, createdAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ createdAtMs: -1 })
        .limit(most)
        .map(read)
        .toArray(),
    proven: (userId) => orders.find({ userId, status: 'confirmed' }).limit(SHOWN_MAX).map(read).toArray(),
    countOpen: (userId, nowMs) => orders.countDocuments({ userId, status: 'pending', expiresAtMs: { $gt: nowMs } }),
    async change(id, step) {
      let changedOf: string | null = null;
      const result = await documents.change(id, (order) => {
        const made = step(order);
        changedOf = made.doc && !showsSame(order, made.doc) ? made.doc.userId : null;
        return made;
      });
      if (changedOf !== null && changedOf !== ERASED) onChanged(changedOf);
      return result;
    },
    due: (nowMs, limit) =>
      orders
        .find({ lookAtMs: { $lte: nowMs } })
        .sort({ lookAtMs: 1 })
        .limit(limit)
        .toArray(),
    async postpone(id, lookAtMs) {
      await orders.updateOne({ _id: id }, { $set: { lookAtMs } });
    },
    async erase(userId) {
      await orders.deleteMany({ userId, status: 'confirmed', lookAtMs: null });
      const left = await orders
        .find({ userId }, { projection: { _id: 1 } })
        .limit(ERASED_MAX)
        .toArray();
      for (const { _id } of left) {
        await store.change(_id, (order) => ({ doc: withoutBuyer(order), result: undefined }));
      }
    },
    removeErased: async (id) => void (await orders.deleteOne({ _id: id, userId: ERASED, lookAtMs: null })),
  };
  return store;
}
