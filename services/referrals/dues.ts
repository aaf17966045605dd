import type { Clock } from '@cord/kit/clock';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';

/**
 * Marks referrers whose commission may have increased (services/mining/ledger/README.md#commission). A mark is set before
 * a sum changes, and is removed only after the ledger confirmed the sum that was read. A reporting replica takes the mark
 * without removing it. A change meanwhile sets a new mark, which the end of the earlier report does not remove.
 */
export type Dues = ReturnType<typeof createDues>;

interface Marked {
  soon: boolean;
  referrer: Member;
}

export interface Taken {
  /** Token for `settled`. */
  token: bigint;
  /** Commission confirmed by the ledger so far, micro-CORD. */
  paidMicro: bigint;
  /** Number of friends as last published. */
  friends: number;
}

/** @param quietMs minimum time between two reports of a referrer's commission, ms */
export function createDues(store: Pick<ReferralStore, 'members'>, clock: Pick<Clock, 'now'>, quietMs: number) {
  const { members } = store;
  return {
    /**
     * Marks a referrer, also while a report is in progress. Erased ones are ignored.
     * @returns whether it may be reported at once, because the quiet time is over; and the referrer as read with it
     */
    mark: (referrerId: string): Promise<Marked> =>
      members.change<Marked>(referrerId, (referrer) => {
        const { taken, ...member } = referrer;
        const nowMs = clock.now();
        if (member.erased) return { doc: null, result: { soon: false, referrer } };
        if (member.dueAt !== undefined && taken === undefined) {
          return { doc: null, result: { soon: member.dueAt <= nowMs, referrer } };
        }
        const dueAt = member.reportedAt === undefined ? nowMs : Math.max(nowMs, member.reportedAt + quietMs);
        return { doc: { ...member, dueAt }, result: { soon: dueAt <= nowMs, referrer } };
      }),
    /** Starts a report, before the sums are read. @returns null when nothing is due */
    take: (referrerId: string): Promise<Taken | null> =>
      members.change<Taken | null>(referrerId, (member) => {
        if (member.dueAt === undefined) return { doc: null, result: null };
        const token = member.seq + 1n;
        const doc = { ...member, taken: token };
        return { doc, result: { token, paidMicro: member.commission.paidMicro, friends: member.friends } };
      }),
    /**
     * Removes the mark: the ledger confirmed the sums that were read after `take`.
     * @param reported whether anything was reported: then the quiet time starts
     */
    settled: (referrerId: string, token: bigint, reported: boolean): Promise<void> =>
      members.update(referrerId, ({ dueAt, taken, ...member }) => {
        const reportedAt = reported ? clock.now() : member.reportedAt;
        const doc = reportedAt === undefined ? member : { ...member, reportedAt };
        if (taken === token) return doc;
        if (!reported || dueAt === undefined) return null;
        // Marked again meanwhile: reported when the quiet time is over.
        return {
          ...doc,
          dueAt: Math.max(dueAt, clock.now() + quietMs),
          ...(taken === undefined ? {} : { taken }),
        };
      }),
    /** Keeps the mark, behind the waiting ones: the ledger has not confirmed everything. */
    postponed: (referrerId: string): Promise<void> =>
      members.update(referrerId, ({ taken: _taken, ...member }) =>
        member.dueAt === undefined ? null : { ...member, dueAt: clock.now() },
      ),
  };
}
