import { randomBytes } from 'node:crypto';
import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import { inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { TimeSpan } from '@cord/kit/page';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import { firstMatching } from '@cord/kit/store/first-matching';
import type { Connection } from 'mongoose';
import { creditStep } from './ledger/credit.js';
import type { Credit } from './ledger/credit-rules.js';
import type { Ledger } from './ledger/ledger.js';
import { LedgerRefusal } from './ledger/refusal.js';
import { CORRECTIONS, type CorrectionDoc } from './store/collections.js';

/** Corrections that the sweep books at a time, and how often it looks, ms. */
const BATCH = 64;
const EVERY_MS = 10_000;
const LEASE_MS = 60_000;

export type Corrections = ReturnType<typeof createCorrections>;

interface Parts {
  store: Connection;
  ledger: Pick<Ledger, 'read' | 'credit' | 'moment'>;
  clock: Pick<Clock, 'now'>;
}

/** The credit of a correction: its key names the proposal, so that it is booked once, by any attempt. */
export function creditOf({ _id, userId, amountMicro, reason }: CorrectionDoc): Credit {
  return { userId, key: `correction:${userId}:${_id}`, source: 'correction', amountMicro, reason };
}

/**
 * Corrections of balances. One operator proposes, another one confirms; from then on it is decided, and booked by the call that confirmed it or by
 * the sweep. No other service can credit this source.
 */
export function createCorrections({ store, ledger, clock }: Parts) {
  const corrections = CORRECTIONS.in(store);

  /** An account that can be corrected: null where there is none, or it was deleted. */
  async function standing(userId: string) {
    const account = await ledger.read(userId);
    return account?.erasedAtMs === null ? account : null;
  }

  /** Writes the entry, once, however often it is tried. @throws LedgerRefusal `below-zero`, `day-limit`, `busy` ...: it stays due */
  async function book(confirmed: CorrectionDoc): Promise<CorrectionDoc> {
    await ledger.credit(creditOf(confirmed)).catch((error: unknown) => {
      // The account is corrected no more; the erasure takes the correction away.
      if (!(error instanceof LedgerRefusal && error.type === ERASED_USER)) throw error;
    });
    await corrections.updateOne({ _id: confirmed._id }, { $unset: { dueAtMs: '' } });
    const { dueAtMs: _due, ...booked } = confirmed;
    return booked;
  }

  /** Books what was confirmed by a call that did not come to its end. */
  const bookDue = (turn: Pick<Turn, 'lease'>) =>
    inBatches<CorrectionDoc>(turn, BATCH, () => ({
      read: (limit, takes) =>
        firstMatching(corrections.find({ dueAtMs: { $gt: 0 } }).sort({ dueAtMs: 1 }), limit, takes),
      each: (due) => book(due),
    }));

  return {
    /**
     * Why the ledger would refuse a correction of this account now; null where it would take it.
     * @param correction as it would be booked
     */
    async refusalOf(correction: CorrectionDoc): Promise<LedgerRefusal | 'unknown-user' | null> {
      const account = await standing(correction.userId);
      if (account === null) return 'unknown-user';
      try {
        creditStep(account, creditOf(correction), ledger.moment());
        return null;
      } catch (error) {
        if (error instanceof LedgerRefusal) return error;
        throw error;
      }
    },
    /** A proposal, not stored yet. */
    draft(made: Pick<CorrectionDoc, 'userId' | 'amountMicro' | 'reason' | 'proposedBy'>): CorrectionDoc {
      const _id = randomBytes(16).toString('hex');
      return { _id, ...made, status: 'open', proposedAtMs: clock.now(), decidedBy: null, decidedAtMs: null };
    },
    /** @returns whether it is stored; not when the account was deleted meanwhile, whose deletion has passed by what is written after it */
    async propose(proposal: CorrectionDoc): Promise<boolean> {
      await corrections.insertOne(proposal);
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
    book,
    bookDue,
    sweep: (parts: PeriodicParts) =>
      periodic(parts, { name: 'corrections', everyMs: EVERY_MS, leaseMs: LEASE_MS, run: bookDue }),
  };
}
