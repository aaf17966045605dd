import type { Caused } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import type { TimeSpan } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { type Step, type Versioned, withoutAnswer } from '@cord/kit/versioned';
import type { Connection, mongo } from 'mongoose';
import { ORDER_WAIT_MS_MAX } from '../domain/look-schedule.js';
import { ERASED, isSameForBuyer, type Order, withoutBuyer } from '../domain/orders.js';

/** An order with the cause of the call that handed its payment in, because the badge may be granted much later. */
export type StoredOrder = Order & Versioned & Caused;

export const ORDERS = collection<StoredOrder>({
  name: 'orders',
  document: 'order',
  indexes: [
    { key: { userId: 1, createdAtMs: -1 } },
    { key: { reference: 1 }, unique: true },
    { key: { lookAtMs: 1 } },
    { key: { status: 1, lookAtMs: 1 } },
  ],
  empty: none,
  /** Anonymises orders still watched for payments and deletes the others, whatever their status. */
  async erase(orders, userId, store) {
    await orders.deleteMany({ userId, lookAtMs: null });
    const left = await orders
      .find({ userId }, { projection: { _id: 1 } })
      .limit(ERASED_MAX)
      .map(({ _id }) => _id)
      .toArray();
    const documents = ORDERS.versioned(store);
    for (const id of left) await documents.update(id, withoutBuyer);
    // A look may have ended the watch of an order meanwhile, while it still had its buyer.
    await orders.deleteMany({ _id: { $in: left }, userId: ERASED, lookAtMs: null });
  },
});
const { read } = ORDERS;

/** Maximum number of orders shown. */
const SHOWN_MAX = 50;
/** Maximum number of an erased user's orders; each is changed by a write of its own. */
const ERASED_MAX = 10_000;

/** `sent`: orders whose payment is known to be on its way; `others`: all others. */
export type Queue = 'sent' | 'others';

export type OrderStore = ReturnType<typeof createOrderStore>;

/** @throws Problem 404 */
function none(): never {
  throw notFound('order-not-found', 'Order not found');
}

/** @param onChanged called with the buyer of each order that was created or visibly changed */
export function createOrderStore(connection: Connection, onChanged: (userId: string) => void = () => undefined) {
  const orders = ORDERS.in(connection);
  const documents = ORDERS.versioned(connection);
  const store = {
    async insert(order: StoredOrder) {
      await orders.insertOne(order);
      onChanged(order.userId);
    },
    /** @throws Problem 404 */
    async get(id: string) {
      const order = await orders.findOne({ _id: id });
      return order ? read(order) : none();
    },
    /** @throws Problem 404 for an unknown order or another user's */
    async own(userId: string, id: string) {
      const order = await orders.findOne({ _id: id, userId });
      return order ? read(order) : none();
    },
    /** Returns the newest orders of a user, at most SHOWN_MAX. */
    ofUser: (userId: string) => orders.find({ userId }).sort({ createdAtMs: -1 }).limit(SHOWN_MAX).map(read).toArray(),
    /** Returns all orders of a user, newest first. */
    newest: (userId: string): AsyncIterable<StoredOrder> => orders.find({ userId }).sort({ createdAtMs: -1 }).map(read),
    /** Returns the orders of a user created in a time span, newest first. */
    within: (userId: string, { fromMs, belowMs }: TimeSpan, most: number) =>
      orders
        .find({ userId, createdAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ createdAtMs: -1 })
        .limit(most)
        .map(read)
        .toArray(),
    /** Returns the orders whose reference is among these keys. */
    named: (keys: readonly string[]) =>
      orders
        .find({ reference: { $in: [...keys] } })
        .map(read)
        .toArray(),
    /** Returns the orders with a proven payment. */
    proven: (userId: string) => orders.find({ userId, status: 'confirmed' }).limit(SHOWN_MAX).map(read).toArray(),
    /** Changes an order by a pure step under compare-and-set. @throws Problem 404 */
    async change<R>(id: string, step: (order: StoredOrder) => Step<StoredOrder, R>) {
      let changedOf: string | null = null;
      const result = await documents.change(id, (order) => {
        const made = step(order);
        changedOf = made.doc && !isSameForBuyer(order, made.doc) ? made.doc.userId : null;
        return made;
      });
      if (changedOf !== null && changedOf !== ERASED) onChanged(changedOf);
      return result;
    },
    /** Like `change`, for a step without a result. */
    update: (id: string, step: (order: StoredOrder) => StoredOrder | null): Promise<void> =>
      store.change(id, withoutAnswer(step)),
    /** Returns the due orders of a queue that pass the filter, longest waiting first. */
    due(queue: Queue, nowMs: number, limit: number, takes: IdFilter) {
      const status: mongo.Filter<StoredOrder> = queue === 'sent' ? { status: 'sent' } : { status: { $ne: 'sent' } };
      return firstDue(orders, 'lookAtMs', dueTimes(nowMs, ORDER_WAIT_MS_MAX), limit, takes, {}, status);
    },
    /** Puts off the next look. */
    async postpone(id: string, lookAtMs: number) {
      await orders.updateOne({ _id: id }, { $set: { lookAtMs } });
    },
    /** Deletes an order that was never returned to anyone. */
    remove: async (id: string): Promise<void> => void (await orders.deleteOne({ _id: id })),
    /** Deletes an erased user's order that is no longer watched. */
    removeErased: async (id: string): Promise<void> =>
      void (await orders.deleteOne({ _id: id, userId: ERASED, lookAtMs: null })),
  };
  return store;
}
