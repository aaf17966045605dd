import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import { inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import { onceId } from '@cord/kit/idempotency';
import type { TimeSpan } from '@cord/kit/page';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import { firstMatching } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { creditStep } from './ledger/credit.js';
import type { Credit } from './ledger/credit-rules.js';
import type { Ledger } from './ledger/ledger.js';
import { LedgerRefusal, refuse } from './ledger/refusal.js';
import { CORRECTIONS, type CorrectionDoc } from './store/collections.js';

/** Corrections that the sweep books at a time, and how often it looks, ms. */
const BATCH = 64;
const EVERY_MS = 10_000;
const LEASE_MS = 60_000;

export type Corrections = ReturnType<typeof createCorrections>;

interface Parts {
  store: Connection;
  ledger: Pick<Ledger, 'read' | 'credit' | 'isCredited' | 'moment'>;
  clock: Pick<Clock, 'now'>;
}

/** It is booked, withdrawn or erased, or its withdrawal has begun. */
class NotToBeBooked extends Error {}

/** The credit of a correction: its key names the proposal, so that it is booked once, by any attempt. */
export function creditOf({ _id, userId, amountMicro, reason }: CorrectionDoc): Credit {
  return { userId, key: `correction:${userId}:${_id}`, source: 'correction', amountMicro, reason };
}

/**
 * Corrections of balances. One operator proposes, another one confirms; then it is booked by the call that confirmed it or by the sweep. Until it is
 * in the ledger it can be withdrawn. No other service can credit this source.
 */
export function createCorrections({ store, ledger, clock }: Parts) {
  const corrections = CORRECTIONS.in(store);

  /** An account that can be corrected: null where there is none, or it was deleted. */
  async function standing(userId: string) {
    const account = await ledger.read(userId);
    return account?.erasedAtMs === null ? account : null;
  }

  /** Others that are confirmed, not known to be booked, and take something off the account. */
  async function dueBefore({ _id, userId }: CorrectionDoc): Promise<CorrectionDoc[]> {
    const due = await corrections.find({ userId, dueAtMs: { $gt: 0 }, _id: { $ne: _id } }).toArray();
    return due.filter(({ amountMicro }) => amountMicro < 0n);
  }

  /** Those that no entry stands for. @throws LedgerRefusal `busy` */
  async function notInLedger(due: CorrectionDoc[]): Promise<CorrectionDoc[]> {
    const left: CorrectionDoc[] = [];
    for (const one of due) if (!(await ledger.isCredited(one.userId, creditOf(one).key))) left.push(one);
    return left;
  }

  /**
   * Writes the entry, once, however often it is tried.
   * @returns the correction after it, which may have been withdrawn meanwhile
   * @throws LedgerRefusal `below-zero`, `day-limit`, `busy` ...: it stays due
   */
  async function book(confirmed: CorrectionDoc): Promise<CorrectionDoc> {
    const { _id } = confirmed;
    const demand = async () => {
      const due = { _id, dueAtMs: { $gt: 0 }, withdrawal: { $exists: false } };
      if ((await corrections.findOne(due)) === null) throw new NotToBeBooked();
    };
    try {
      await ledger.credit(creditOf(confirmed), demand);
    } catch (error) {
      if (error instanceof NotToBeBooked) return (await corrections.findOne({ _id })) ?? confirmed;
      // The account is corrected no more; the erasure takes the correction away.
      if (!(error instanceof LedgerRefusal && error.type === ERASED_USER)) throw error;
    }
    return asBooked(confirmed);
  }

  /** What stands in the ledger, or concerns an account that takes nothing any more, is due no more. */
  async function asBooked({
    dueAtMs: _due,
    withdrawal: _withdrawal,
    ...booked
  }: CorrectionDoc): Promise<CorrectionDoc> {
    await corrections.updateOne({ _id: booked._id }, { $unset: { dueAtMs: '', withdrawal: '' } });
    return booked;
  }

  /**
   * Ends a withdrawal that has begun: since then nobody begins to book it, and who had begun before has either booked it or can no more.
   * @returns the correction after it: withdrawn, or booked
   * @throws LedgerRefusal `busy` ...: the sweep ends it
   */
  async function endWithdrawal(begun: CorrectionDoc): Promise<CorrectionDoc> {
    const { _id, userId, withdrawal } = begun;
    if (withdrawal === undefined || (await ledger.isCredited(userId, creditOf(begun).key))) return asBooked(begun);
    const after = await corrections.findOneAndUpdate(
      { _id, withdrawal: { $exists: true } },
      {
        $set: { status: 'withdrawn', decidedBy: withdrawal.by, decidedAtMs: withdrawal.atMs },
        $unset: { dueAtMs: '', withdrawal: '' },
      },
      { returnDocument: 'after' },
    );
    return after ?? (await corrections.findOne({ _id })) ?? begun;
  }

  /** Ends what was begun by a call that did not come to its end. */
  const bookDue = (turn: Pick<Turn, 'lease'>) =>
    inBatches<CorrectionDoc>(turn, BATCH, () => ({
      read: (limit, takes) =>
        firstMatching(corrections.find({ dueAtMs: { $gt: 0 } }).sort({ dueAtMs: 1 }), limit, takes),
      each: (due) => (due.withdrawal ? endWithdrawal(due) : book(due)),
    }));

  return {
    /**
     * Why the ledger would refuse a correction of this account, behind those that are due; null where it would take it.
     * @param correction as it would be booked
     */
    async refusalOf(correction: CorrectionDoc): Promise<LedgerRefusal | 'unknown-user' | null> {
      // Before the account: what is booked between the two reads counts twice for the moment, and is never left out.
      let due = correction.amountMicro < 0n ? await dueBefore(correction) : [];
      try {
        for (;;) {
          const account = await standing(correction.userId);
          if (account === null) return 'unknown-user';
          const { balanceMicro, openCommission } = creditStep(account, creditOf(correction), ledger.moment());
          const takenMicro = due.reduce((sum, { amountMicro }) => sum + amountMicro, 0n);
          if (balanceMicro - openCommission.amountMicro + takenMicro >= 0n) return null;
          const left = await notInLedger(due);
          // None counted twice: the account was read before.
          if (left.length === due.length) return refuse('below-zero', 'The balance would fall below zero.');
          due = left;
        }
      } catch (error) {
        if (error instanceof LedgerRefusal) return error;
        throw error;
      }
    },
    /** A proposal, not stored yet. */
    draft(made: Pick<CorrectionDoc, 'userId' | 'amountMicro' | 'reason' | 'proposedBy'>): CorrectionDoc {
      const _id = onceId('correction');
      return { _id, ...made, status: 'open', proposedAtMs: clock.now(), decidedBy: null, decidedAtMs: null };
    },
    /** @returns whether it is stored; not when the account was deleted meanwhile, whose deletion has passed by what is written after it */
    async propose(proposal: CorrectionDoc): Promise<boolean> {
      await insertOnce(() => corrections.insertOne(proposal));
      if ((await standing(proposal.userId)) !== null) return true;
      await corrections.deleteMany({ _id: proposal._id });
      return false;
    },
    /** Whether the account was deleted: then the deletion may have passed by what was written of it since. */
    isGone: async (userId: string) => (await standing(userId)) === null,
    get: (id: string) => corrections.findOne({ _id: id }),
    /** Those of a state that were proposed in a span, the latest first. */
    list: (status: CorrectionDoc['status'], { fromMs, belowMs }: TimeSpan, limit: number): Promise<CorrectionDoc[]> =>
      corrections
        .find({ status, proposedAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ proposedAtMs: -1 })
        .limit(limit)
        .toArray(),
    /** Confirms or withdraws what is open. @returns null when it is not, or is to be confirmed by who has proposed it */
    async decide(id: string, status: 'confirmed' | 'withdrawn', decidedBy: string): Promise<CorrectionDoc | null> {
      const decidedAtMs = clock.now();
      const confirms = status === 'confirmed';
      return corrections.findOneAndUpdate(
        { _id: id, status: 'open', ...(confirms ? { proposedBy: { $ne: decidedBy } } : {}) },
        { $set: { status, decidedBy, decidedAtMs, ...(confirms ? { dueAtMs: decidedAtMs } : {}) } },
        { returnDocument: 'after' },
      );
    },
    /**
     * Withdraws what is confirmed and not booked. The first withdrawal that begins names who withdraws it.
     * @returns the correction after it; null where it is not due, was booked first, or another one withdraws it
     * @throws LedgerRefusal `busy` ...: the sweep ends the withdrawal
     */
    async withdrawDue(id: string, by: string): Promise<CorrectionDoc | null> {
      const withdrawal = { by, atMs: clock.now() };
      await corrections.updateOne(
        { _id: id, dueAtMs: { $gt: 0 }, withdrawal: { $exists: false } },
        { $set: { withdrawal } },
      );
      const begun = await corrections.findOne({ _id: id, withdrawal: { $exists: true } });
      const after = begun && (await endWithdrawal(begun));
      return after?.status === 'withdrawn' && after.decidedBy === by ? after : null;
    },
    book,
    bookDue,
    sweep: (parts: PeriodicParts) =>
      periodic(parts, { name: 'corrections', everyMs: EVERY_MS, leaseMs: LEASE_MS, run: bookDue }),
  };
}
