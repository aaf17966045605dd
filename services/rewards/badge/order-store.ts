import type { Caused } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import type { TimeSpan } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { type Step, type Versioned, withoutAnswer } from '@cord/kit/versioned';
import type { Connection, mongo } from 'mongoose';
import { ORDER_WAIT_MS_MAX } from '../domain/look-schedule.js';
import { ERASED, type Order, showsSame, withoutBuyer } from '../domain/orders.js';

/** With the call that handed its payment in: the badge may come of it much later. */
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
  /** What is still watched for payments stays, without its buyer; the others go, whatever became of them. */
  async erase(orders, userId, store) {
    await orders.deleteMany({ userId, lookAtMs: null });
    const left = await orders
      .find({ userId }, { projection: { _id: 1 } })
      .limit(ERASED_MAX)
      .map(({ _id }) => _id)
      .toArray();
    const documents = ORDERS.versioned(store);
    for (const id of left) await documents.update(id, withoutBuyer);
    // A look may have ended the watch of one meanwhile, while it still had its buyer.
    await orders.deleteMany({ _id: { $in: left }, userId: ERASED, lookAtMs: null });
  },
});
const { read } = ORDERS;

/** Orders shown at the most. */
const SHOWN_MAX = 50;
/** An erased user's orders, each changed by itself. */
const ERASED_MAX = 10_000;

/** Orders whose payment is known to be on its way, and those that may have none. */
export type Queue = 'sent' | 'others';

export type OrderStore = ReturnType<typeof createOrderStore>;

/** @throws Problem 404 */
function none(): never {
  throw notFound('order-not-found', 'Order not found');
}

/** @param onChanged called with the buyer of each order that was made, or that changed for its buyer */
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
    /** @throws Problem 404 for another's or none */
    async own(userId: string, id: string) {
      const order = await orders.findOne({ _id: id, userId });
      return order ? read(order) : none();
    },
    /** The newest that are shown. */
    ofUser: (userId: string) => orders.find({ userId }).sort({ createdAtMs: -1 }).limit(SHOWN_MAX).map(read).toArray(),
    /** All of a user, the newest first. */
    newest: (userId: string): AsyncIterable<StoredOrder> => orders.find({ userId }).sort({ createdAtMs: -1 }).map(read),
    /** Of a user, made in a span, the newest first. */
    within: (userId: string, { fromMs, belowMs }: TimeSpan, most: number) =>
      orders
        .find({ userId, createdAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ createdAtMs: -1 })
        .limit(most)
        .map(read)
        .toArray(),
    /** Whose references are among these keys. */
    named: (keys: readonly string[]) =>
      orders
        .find({ reference: { $in: [...keys] } })
        .map(read)
        .toArray(),
    /** Those that are paid and proven. */
    proven: (userId: string) => orders.find({ userId, status: 'confirmed' }).limit(SHOWN_MAX).map(read).toArray(),
    /** Changes an order by a pure step under compare-and-set. @throws Problem 404 */
    async change<R>(id: string, step: (order: StoredOrder) => Step<StoredOrder, R>) {
      let changedOf: string | null = null;
      const result = await documents.change(id, (order) => {
        const made = step(order);
        changedOf = made.doc && !showsSame(order, made.doc) ? made.doc.userId : null;
        return made;
      });
      if (changedOf !== null && changedOf !== ERASED) onChanged(changedOf);
      return result;
    },
    /** The same by a step without an answer. */
    update: (id: string, step: (order: StoredOrder) => StoredOrder | null): Promise<void> =>
      store.change(id, withoutAnswer(step)),
    /** Orders of a queue to be looked for on the chain, who has waited longest first; those that the filter takes. */
    due(queue: Queue, nowMs: number, limit: number, takes: IdFilter) {
      const status: mongo.Filter<StoredOrder> = queue === 'sent' ? { status: 'sent' } : { status: { $ne: 'sent' } };
      return firstDue(orders, 'lookAtMs', dueTimes(nowMs, ORDER_WAIT_MS_MAX), limit, takes, {}, status);
    },
    /** Puts off the next look. */
    async postpone(id: string, lookAtMs: number) {
      await orders.updateOne({ _id: id }, { $set: { lookAtMs } });
    },
    /** Takes out an order that nobody was given. */
    remove: async (id: string): Promise<void> => void (await orders.deleteOne({ _id: id })),
    /** Takes out an erased user's order that is not watched any more. */
    removeErased: async (id: string): Promise<void> =>
      void (await orders.deleteOne({ _id: id, userId: ERASED, lookAtMs: null })),
  };
  return store;
}
