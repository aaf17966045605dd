import { createHash } from 'node:crypto';
import { badgeRefunded } from '@cord/contracts/events/rewards';
import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { AUDIT_LOG } from '@cord/kit/audit-log';
import { collection } from '@cord/kit/collection';
import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import { LOOK_WAIT_MS_MAX } from '../domain/look-schedule.js';
import { ERASED } from '../domain/orders.js';
import { createReturns } from './returns.js';

/** A buyer's own, shown at the most. */
const SHOWN_MAX = 500;

/** A payment that arrived and goes back: late, twice, or not as ordered. */
export interface Refund {
  /** From the signature, from the order where the transaction paid another one, and from the payer where it has several: one payment is recorded once. */
  _id: string;
  orderId: string;
  /** ERASED once the account is deleted. */
  userId: string;
  signature: string;
  payer: string;
  /** The wallet that was paid, which returns it. */
  treasury: string;
  lamports: number;
  reason: PaymentRefusal;
  atMs: number;
  /** Block time of the payment; absent where the network has none. */
  paidAtMs?: number;
  /** `returned` once the chain has proven it: what an admin has noted is looked for, and stays open until then. */
  status: 'open' | 'returned';
  /** The transaction that an admin has noted, when and why; null while none is. */
  returnTransaction: string | null;
  returnedAtMs: number | null;
  note: string | null;
  /** The last transaction that was noted and does not bring the payment back, and when that was seen. */
  disproved?: { transaction: string; atMs: number };
  /** When to look for the returning transaction, and how often that was done; absent when there is nothing to look for. */
  lookAtMs?: number;
  looks?: number;
  /** When the chain had it; absent before. */
  provenAtMs?: number;
  /** That it is proven, until published. */
  outbox?: OutboxEvent[];
  dirtyAt?: number;
}

export const REFUNDS = collection<Refund>({
  name: 'refunds',
  document: 'refund',
  indexes: [
    { key: { userId: 1 } },
    { key: { status: 1, atMs: 1, _id: 1 } },
    { key: { lookAtMs: 1 }, sparse: true },
    { key: { returnTransaction: 1 } },
  ],
  outbox: 'events',
  states: [{ kinds: [badgeRefunded], items: refundedItems }],
  erase: takeUserOut,
});
const { read } = REFUNDS;

/** What is still owed stays, without its user; what was returned goes, also what is proven in the middle of this. */
async function takeUserOut(refunds: mongo.Collection<Refund>, userId: string): Promise<void> {
  await refunds.updateMany({ userId, status: 'open' }, { $set: { userId: ERASED } });
  await refunds.deleteMany({ userId });
}

/** What a refund's place in the list is made of. */
export type RefundPlace = Pick<Refund, 'status' | 'atMs' | '_id'>;

const LISTED: ListOrder<RefundPlace> = [
  ['status', 1],
  ['atMs', 1],
  ['_id', 1],
];

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * @param key 32 bytes, from SIGNATURES_KEY
 * @param onChanged called with the buyer of each refund that was recorded or is proven
 */
export function createRefunds(
  connection: Connection,
  key: Buffer,
  onChanged: (userId: string) => void = () => undefined,
) {
  const refunds = REFUNDS.in(connection);
  const returns = createReturns(connection, key);
  const changed = ({ userId }: Pick<Refund, 'userId'>) => {
    if (userId !== ERASED) onChanged(userId);
  };
  return {
    /** Records a payment; the same one again changes nothing. */
    async record({
      part,
      ...found
    }: Pick<
      Refund,
      'orderId' | 'userId' | 'signature' | 'payer' | 'treasury' | 'lamports' | 'reason' | 'atMs' | 'paidAtMs'
    > & {
      /** What of the transaction it is (`refundId`). */
      part: readonly string[];
    }) {
      const open = { status: 'open' as const, returnTransaction: null, returnedAtMs: null, note: null };
      const doc = { _id: refundId(found.signature, part), ...found, ...open };
      if (await insertOnce(() => refunds.insertOne(doc))) return changed(found);
      // The process that recorded it before its buyer was gone may have died right after.
      if (found.userId === ERASED) await refunds.updateOne({ _id: doc._id }, { $set: { userId: ERASED } });
    },
    /** Those of a user whose account was deleted while one was recorded are recorded under no user. */
    withoutUser: (userId: string) => takeUserOut(refunds, userId),
    async get(id: string) {
      const stored = await refunds.findOne({ _id: id });
      return stored && read(stored);
    },
    ofUser: async (userId: string) => (await refunds.find({ userId }).limit(SHOWN_MAX).toArray()).map(read),
    /** All of a user, the newest first. */
    newest: (userId: string): AsyncIterable<Refund> => refunds.find({ userId }).sort({ atMs: -1 }).map(read),
    /** Open ones first, then who has waited longest; those after a place. */
    async list(page: { status: Refund['status'] | null; after: RefundPlace | null; limit: number }) {
      const { status, after, limit } = page;
      // In a list of one status a place holds, also when its refund was returned meanwhile.
      const order = status === null ? LISTED : LISTED.slice(1);
      const stored = await readBehind({ order, after, limit }, (range, most) =>
        refunds
          .find({ ...(status === null ? {} : { status }), ...range })
          .sort(Object.fromEntries(LISTED))
          .limit(most)
          .toArray(),
      );
      return stored.map(read);
    },
    /** Notes by what it was returned. @returns null when it is returned, or another transaction is noted that is not disproved */
    async note(id: string, by: Pick<Refund, 'returnTransaction' | 'returnedAtMs' | 'note'>) {
      const refund = await refunds.findOneAndUpdate(
        { _id: id, status: 'open', returnTransaction: null },
        { $set: { ...by, lookAtMs: by.returnedAtMs ?? 0, looks: 0 } },
        { returnDocument: 'after' },
      );
      return refund && read(refund);
    },
    /** Noted, and to be looked for on the chain: who has waited longest first. */
    async due(nowMs: number, limit: number, takes: IdFilter) {
      const times = dueTimes(nowMs, LOOK_WAIT_MS_MAX);
      const due = await firstDue(refunds, 'lookAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },
    /** What a transaction has to bring a payer back for all that it was ever noted for and not disproved, lamports. */
    async owedBy(returnTransaction: string, payer: string) {
      // These first: one that is deleted in between is among what was returned before.
      const named = await refunds.find({ returnTransaction, payer }).toArray();
      // A replica that was slower than the one which has disproved it may have kept it as returned.
      const others = await refunds
        .find({ status: 'open', payer, returnTransaction: { $ne: returnTransaction } })
        .toArray();
      return returns.owedWith(returnTransaction, payer, { named, others });
    },
    /** The chain has it; publishes it by the same write. One whose buyer is gone goes, too, with what operators wrote of it. */
    async proven(refund: Refund, nowMs: number) {
      if (refund.returnTransaction === null) return;
      // First: the refund may be deleted as soon as it is returned.
      await returns.keep(refund.returnTransaction, refund);
      // Its buyer may be gone since it was read: then it is looked at once more, and nothing is published.
      const asRead = { ...asNoted(refund), userId: refund.userId };
      if (refund.userId === ERASED) {
        await AUDIT_LOG.erase(connection, refund._id);
        await refunds.deleteOne(asRead);
        return;
      }
      const outbox = refundedItems({ ...refund, provenAtMs: nowMs });
      const { matchedCount } = await refunds.updateOne(asRead, {
        $set: { status: 'returned', provenAtMs: nowMs, ...(outbox.length > 0 ? { outbox, dirtyAt: nowMs } : {}) },
        $unset: { lookAtMs: '', looks: '', disproved: '' },
      });
      if (matchedCount === 1) changed(refund);
    },
    /** What was noted does not bring it back: it is open as before. @returns whether that was so until now */
    async disproved(refund: Refund, nowMs: number) {
      const disproved = { transaction: refund.returnTransaction ?? '', atMs: nowMs };
      const { matchedCount } = await refunds.updateOne(asNoted(refund), {
        $set: { returnTransaction: null, returnedAtMs: null, note: null, disproved },
        $unset: { lookAtMs: '', looks: '' },
      });
      return matchedCount === 1;
    },
    /** Looks again then. */
    async postpone(refund: Refund, lookAtMs: number) {
      await refunds.updateOne(asNoted(refund), { $set: { lookAtMs }, $inc: { looks: 1 } });
    },
  };
}

/** The refund while it is noted as it was read, and not decided: another replica may look at it as well. */
function asNoted({ _id, returnTransaction }: Refund) {
  return { _id, returnTransaction, lookAtMs: { $exists: true } };
}

/** badge.refunded of a refund that is proven; none before, and none of a buyer who is gone. */
function refundedItems(refund: Refund): OutboxEvent[] {
  const { _id, userId, lamports, reason, returnTransaction, provenAtMs } = refund;
  if (provenAtMs === undefined || returnTransaction === null || userId === ERASED) return [];
  const origin = { userId, otherId: _id, seq: 1, atMs: provenAtMs, key: `badge.refunded:${_id}` };
  const state = { refundId: _id, lamports, reason, returnTransaction, provenAt: provenAtMs };
  return [eventItem(badgeRefunded, origin, state)];
}

/**
 * 32 hex characters, the same for the same payment.
 * @param part of a transaction that another order was in before, the order; of one with several payers, each but the first
 */
export function refundId(signature: string, part: readonly string[] = []): string {
  return createHash('sha256')
    .update([signature, ...part].join('|'))
    .digest('hex')
    .slice(0, 32);
}
