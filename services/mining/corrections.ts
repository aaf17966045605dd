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

/** Number of corrections that the sweep books per batch, and how often it runs, ms. */
const BATCH = 64;
const EVERY_MS = 10_000;
const LEASE_MS = 60_000;

export type Corrections = ReturnType<typeof createCorrections>;

interface Parts {
  store: Connection;
  ledger: Pick<Ledger, 'read' | 'credit' | 'isCredited' | 'moment'>;
  clock: Pick<Clock, 'now'>;
}

/** The correction is booked, withdrawn or erased, or its withdrawal has begun. */
class NotBookable extends Error {}

/** The credit of a correction. Its key contains the proposal's id, so that any number of attempts book it once. */
export function creditOf({ _id, userId, amountMicro, reason }: CorrectionDoc): Credit {
  return { userId, key: `correction:${userId}:${_id}`, source: 'correction', amountMicro, reason };
}

/**
 * Corrections of balances. One operator proposes, a second confirms; then that call or the sweep books it. A correction
 * can be withdrawn until it is in the ledger. No other service can credit this source.
 */
export function createCorrections({ store, ledger, clock }: Parts) {
  const corrections = CORRECTIONS.in(store);

  /** Returns an account that can be corrected, or null when it does not exist or was erased. */
  async function readCorrectable(userId: string) {
    const account = await ledger.read(userId);
    return account?.erasedAtMs === null ? account : null;
  }

  /** Returns the other confirmed, possibly unbooked corrections of the account that reduce its balance. */
  async function dueBefore({ _id, userId }: CorrectionDoc): Promise<CorrectionDoc[]> {
    const due = await corrections.find({ userId, dueAtMs: { $gt: 0 }, _id: { $ne: _id } }).toArray();
    return due.filter(({ amountMicro }) => amountMicro < 0n);
  }

  /** Returns the corrections without an entry in the ledger. @throws LedgerRefusal `busy` */
  async function filterUnbooked(due: CorrectionDoc[]): Promise<CorrectionDoc[]> {
    const left: CorrectionDoc[] = [];
    for (const one of due) if (!(await ledger.isCredited(one.userId, creditOf(one).key))) left.push(one);
    return left;
  }

  /**
   * Writes the entry once, however often it is retried.
   * @returns the correction afterwards; it may have been withdrawn meanwhile
   * @throws LedgerRefusal `below-zero`, `day-limit`, `busy` ...: it stays due
   */
  async function book(confirmed: CorrectionDoc): Promise<CorrectionDoc> {
    const { _id } = confirmed;
    const assertDue = async () => {
      const due = { _id, dueAtMs: { $gt: 0 }, withdrawal: { $exists: false } };
      if ((await corrections.findOne(due)) === null) throw new NotBookable();
    };
    try {
      await ledger.credit(creditOf(confirmed), assertDue);
    } catch (error) {
      if (error instanceof NotBookable) return (await corrections.findOne({ _id })) ?? confirmed;
      if (!(error instanceof LedgerRefusal && error.type === ERASED_USER)) throw error;
      // It is not in the ledger and never will be.
      await corrections.deleteMany({ _id });
      return confirmed;
    }
    return clearDue(confirmed);
  }

  /** Clears the due state of a correction that is in the ledger. */
  async function clearDue({
    dueAtMs: _due,
    withdrawal: _withdrawal,
    ...booked
  }: CorrectionDoc): Promise<CorrectionDoc> {
    await corrections.updateOne({ _id: booked._id }, { $unset: { dueAtMs: '', withdrawal: '' } });
    return booked;
  }

  /**
   * Ends a withdrawal that has begun. Since its beginning no booking starts, and an earlier booking has either succeeded or can no longer succeed.
   * @returns the correction afterwards: withdrawn, or booked
   * @throws LedgerRefusal `busy` ...: the sweep ends it
   */
  async function endWithdrawal(begun: CorrectionDoc): Promise<CorrectionDoc> {
    const { _id, userId, withdrawal } = begun;
    if (withdrawal === undefined || (await ledger.isCredited(userId, creditOf(begun).key))) return clearDue(begun);
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

  /** Completes bookings and withdrawals that an interrupted call has begun. */
  const bookDue = (turn: Pick<Turn, 'lease'>) =>
    inBatches<CorrectionDoc>(turn, BATCH, () => ({
      read: (limit, takes) =>
        firstMatching(corrections.find({ dueAtMs: { $gt: 0 } }).sort({ dueAtMs: 1 }), limit, takes),
      each: (due) => (due.withdrawal ? endWithdrawal(due) : book(due)),
    }));

  return {
    /**
     * Returns why the ledger would refuse this correction after those that are due, or null when it would accept it.
     * @param correction as it would be booked
     */
    async refusalOf(correction: CorrectionDoc): Promise<LedgerRefusal | 'unknown-user' | null> {
      // Read before the account: a correction booked between the two reads is counted twice for a moment, never left out.
      let due = correction.amountMicro < 0n ? await dueBefore(correction) : [];
      try {
        for (;;) {
          const account = await readCorrectable(correction.userId);
          if (account === null) return 'unknown-user';
          const { balanceMicro, openCommission } = creditStep(account, creditOf(correction), ledger.moment());
          const takenMicro = due.reduce((sum, { amountMicro }) => sum + amountMicro, 0n);
          if (balanceMicro - openCommission.amountMicro + takenMicro >= 0n) return null;
          const left = await filterUnbooked(due);
          // None was counted twice: the account was read before.
          if (left.length === due.length) return refuse('below-zero', 'The balance would fall below zero.');
          due = left;
        }
      } catch (error) {
        if (error instanceof LedgerRefusal) return error;
        throw error;
      }
    },
    /** Creates a proposal without storing it. */
    draft(made: Pick<CorrectionDoc, 'userId' | 'amountMicro' | 'reason' | 'proposedBy'>): CorrectionDoc {
      const _id = onceId('correction');
      return { _id, ...made, status: 'open', proposedAtMs: clock.now(), decidedBy: null, decidedAtMs: null };
    },
    /** Stores a proposal. @returns false when the account was erased meanwhile: its erasure may have missed this document */
    async propose(proposal: CorrectionDoc): Promise<boolean> {
      await insertOnce(() => corrections.insertOne(proposal));
      if ((await readCorrectable(proposal.userId)) !== null) return true;
      await corrections.deleteMany({ _id: proposal._id });
      return false;
    },
    /** Returns whether the account was erased. Its erasure may then have missed later documents. */
    isGone: async (userId: string) => (await readCorrectable(userId)) === null,
    get: (id: string) => corrections.findOne({ _id: id }),
    /** Returns the corrections of a state that were proposed in a time span, newest first. */
    list: (status: CorrectionDoc['status'], { fromMs, belowMs }: TimeSpan, limit: number): Promise<CorrectionDoc[]> =>
      corrections
        .find({ status, proposedAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ proposedAtMs: -1 })
        .limit(limit)
        .toArray(),
    /** Confirms or withdraws an open correction. @returns null when it is not open, or when the proposer tries to confirm it */
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
     * Withdraws a confirmed correction that is not booked. The first withdrawal that begins names the operator.
     * @returns the correction afterwards; null when it is not due, was booked first, or another operator withdraws it
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
