import { createHash } from 'node:crypto';
import { badgeRefunded } from '@cord/contracts/events/rewards';
import type { PaymentRefusal } from '@cord/contracts/http/rewards';
import { AUDIT_LOG } from '@cord/kit/audit-log';
import { collection } from '@cord/kit/collection';
import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import { LOOK_WAIT_MS_MAX } from '../domain/look-schedule.js';
import { ERASED } from '../domain/orders.js';
import { createReturns } from './returns.js';

/** Maximum number of refunds shown to a buyer. */
const SHOWN_MAX = 500;

/** A payment that arrived and must be returned: too late, a second one, or not as ordered. */
export interface Refund {
  /** Hash of the signature, plus the order if the transaction paid another order, plus the payer if it has several: each payment is recorded once. */
  _id: string;
  orderId: string;
  /** ERASED once the account is deleted. */
  userId: string;
  signature: string;
  payer: string;
  /** The treasury that received the payment and returns it. */
  treasury: string;
  lamports: number;
  reason: PaymentRefusal;
  atMs: number;
  /** Block time of the payment; absent where the network has none. */
  paidAtMs?: number;
  /** `returned` once proven on the chain; a noted transaction is looked up, and the refund stays `open` until then. */
  status: 'open' | 'returned';
  /** The returning transaction noted by an admin, with its time and note; null while none is noted. */
  returnTransaction: string | null;
  returnedAtMs: number | null;
  note: string | null;
  /** The last noted transaction that did not return the payment, and when that was found. */
  disproved?: { transaction: string; atMs: number };
  /** When to look up the returning transaction, and the number of lookups so far; absent when none is pending. */
  lookAtMs?: number;
  looks?: number;
  /** When the return was proven; absent before. */
  provenAtMs?: number;
  /** The event of the proof, until it is published. */
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
  erase: anonymise,
});
const { read } = REFUNDS;

/** Anonymises refunds still owed and deletes the returned ones, including those proven in between. */
async function anonymise(refunds: mongo.Collection<Refund>, userId: string): Promise<void> {
  await refunds.updateMany({ userId, status: 'open' }, { $set: { userId: ERASED } });
  await refunds.deleteMany({ userId });
}

/** The cursor fields of a refund in the list. */
export type RefundPlace = Pick<Refund, 'status' | 'atMs' | '_id'>;

const LISTED: ListOrder<RefundPlace> = [
  ['status', 1],
  ['atMs', 1],
  ['_id', 1],
];

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * @param key 32 bytes, from SIGNATURES_KEY
 * @param onChanged called with the buyer of each refund that was recorded or proven
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
    /** Records a payment; recording it again changes nothing. */
    async record({
      part,
      ...found
    }: Pick<
      Refund,
      'orderId' | 'userId' | 'signature' | 'payer' | 'treasury' | 'lamports' | 'reason' | 'atMs' | 'paidAtMs'
    > & {
      /** The part of the transaction (`refundId`). */
      part: readonly string[];
    }) {
      const open = { status: 'open' as const, returnTransaction: null, returnedAtMs: null, note: null };
      const doc = { _id: refundId(found.signature, part), ...found, ...open };
      if (await insertOnce(() => refunds.insertOne(doc))) return changed(found);
      // The process that recorded it for its buyer may have died before it could anonymise it.
      if (found.userId === ERASED) await refunds.updateOne({ _id: doc._id }, { $set: { userId: ERASED } });
    },
    /** Anonymises refunds recorded while their user's account was deleted. */
    withoutUser: (userId: string) => anonymise(refunds, userId),
    async get(id: string) {
      const stored = await refunds.findOne({ _id: id });
      return stored && read(stored);
    },
    ofUser: async (userId: string) => (await refunds.find({ userId }).limit(SHOWN_MAX).toArray()).map(read),
    /** Returns all refunds of a user, newest first. */
    newest: (userId: string): AsyncIterable<Refund> => refunds.find({ userId }).sort({ atMs: -1 }).map(read),
    /** Returns a page of refunds after a cursor: open ones first, then the longest waiting. */
    async list(page: { status: Refund['status'] | null; after: RefundPlace | null; limit: number }) {
      const { status, after, limit } = page;
      // With a status filter, the cursor omits the status: it stays valid when its refund was returned meanwhile.
      const order = status === null ? LISTED : LISTED.slice(1);
      const stored = await readAfter({ order, after, limit }, (range, most) =>
        refunds
          .find({ ...(status === null ? {} : { status }), ...range })
          .sort(Object.fromEntries(LISTED))
          .limit(most)
          .toArray(),
      );
      return stored.map(read);
    },
    /** Notes the returning transaction. @returns null when the refund is returned, or another transaction is noted and not disproved */
    async note(id: string, by: Pick<Refund, 'returnTransaction' | 'returnedAtMs' | 'note'>) {
      const refund = await refunds.findOneAndUpdate(
        { _id: id, status: 'open', returnTransaction: null },
        { $set: { ...by, lookAtMs: by.returnedAtMs ?? 0, looks: 0 } },
        { returnDocument: 'after' },
      );
      return refund && read(refund);
    },
    /** Returns ids of refunds whose noted transaction is due for a lookup, longest waiting first. */
    async due(nowMs: number, limit: number, takes: IdFilter) {
      const times = dueTimes(nowMs, LOOK_WAIT_MS_MAX);
      const due = await firstDue(refunds, 'lookAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },
    /** Returns the amount that a transaction must return to a payer, for all refunds noted for it and not disproved, lamports. */
    async owedBy(returnTransaction: string, payer: string) {
      // Read first: a refund deleted in between is among the stored returns.
      const named = await refunds.find({ returnTransaction, payer }).toArray();
      // A slower replica may have stored a refund as returned that another one disproved.
      const others = await refunds
        .find({ status: 'open', payer, returnTransaction: { $ne: returnTransaction } })
        .toArray();
      return returns.owedWith(returnTransaction, payer, { named, others });
    },
    /** Marks a refund as proven and publishes that in the same write. A refund of an erased buyer is deleted, with its audit entries. */
    async proven(refund: Refund, nowMs: number) {
      if (refund.returnTransaction === null) return;
      // Stored first: the refund may be deleted as soon as it is returned.
      await returns.keep(refund.returnTransaction, refund);
      // The buyer may have been erased since the refund was read: then the write matches nothing, and the refund is looked up again.
      const asRead = { ...unchangedSinceRead(refund), userId: refund.userId };
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
    /** Opens the refund again, because the noted transaction does not return the payment. @returns whether it was still noted */
    async disproved(refund: Refund, nowMs: number) {
      const disproved = { transaction: refund.returnTransaction ?? '', atMs: nowMs };
      const { matchedCount } = await refunds.updateOne(unchangedSinceRead(refund), {
        $set: { returnTransaction: null, returnedAtMs: null, note: null, disproved },
        $unset: { lookAtMs: '', looks: '' },
      });
      return matchedCount === 1;
    },
    /** Schedules the next lookup. */
    async postpone(refund: Refund, lookAtMs: number) {
      await refunds.updateOne(unchangedSinceRead(refund), { $set: { lookAtMs }, $inc: { looks: 1 } });
    },
  };
}

/** Matches a refund only while it is noted as read and not decided, because another replica may check it as well. */
function unchangedSinceRead({ _id, returnTransaction }: Refund) {
  return { _id, returnTransaction, lookAtMs: { $exists: true } };
}

/** Returns the badge.refunded event of a proven refund; none before that, and none for an erased buyer. */
function refundedItems(refund: Refund): OutboxEvent[] {
  const { _id, userId, lamports, reason, returnTransaction, provenAtMs } = refund;
  if (provenAtMs === undefined || returnTransaction === null || userId === ERASED) return [];
  const origin = { userId, otherId: _id, seq: 1, atMs: provenAtMs, key: `badge.refunded:${_id}` };
  const state = { refundId: _id, lamports, reason, returnTransaction, provenAt: provenAtMs };
  return [eventItem(badgeRefunded, origin, state)];
}

/**
 * Returns the id of a payment, 32 hex characters; the same payment always has the same id.
 * @param part the order's id if the transaction paid another order before; for each payer but the first, the payer as well
 */
export function refundId(signature: string, part: readonly string[] = []): string {
  return createHash('sha256')
    .update([signature, ...part].join('|'))
    .digest('hex')
    .slice(0, 32);
}
