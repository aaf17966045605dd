import type { Clock } from '@cord/kit/clock';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';

/**
 * The marks of referrers whose commission may have risen (services/mining/ledger/README.md#commission): a mark stands before a sum moves,
 * and goes only after the ledger has answered for the sum that was read. The replica that reports to the ledger takes the mark and leaves it
 * standing; whatever moves a sum meanwhile marks anew, and then the end of what was sent before does not take the mark away.
 */
export type Dues = ReturnType<typeof createDues>;

interface Marked {
  soon: boolean;
  referrer: Member;
}

export interface Taken {
  /** What to give to `settled`. */
  token: bigint;
  /** Commission that the ledger has confirmed before, micro-CORD. */
  paidMicro: bigint;
  /** Friends, as last published. */
  friends: number;
}

/** @param quietMs a referrer's commission is reported at most once in this time */
export function createDues(store: Pick<ReferralStore, 'members'>, clock: Pick<Clock, 'now'>, quietMs: number) {
  const { members } = store;
  return {
    /**
     * Marks a referrer, or marks anew while a report is on its way. An erased one is reported no more.
     * @returns whether it may be reported at once: nothing was reported within the quiet time; and the referrer as read with it
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
    /** Begins a report, before the sums are read. @returns null when nothing is due */
    take: (referrerId: string): Promise<Taken | null> =>
      members.change<Taken | null>(referrerId, (member) => {
        if (member.dueAt === undefined) return { doc: null, result: null };
        const token = member.seq + 1n;
        const doc = { ...member, taken: token };
        return { doc, result: { token, paidMicro: member.commission.paidMicro, friends: member.friends } };
      }),
    /**
     * The ledger has all of the sums that were read after `take`.
     * @param reported whether anything was reported: then the quiet time begins
     */
    settled: (referrerId: string, token: bigint, reported: boolean): Promise<void> =>
      members.update(referrerId, ({ dueAt, taken, ...member }) => {
        const reportedAt = reported ? clock.now() : member.reportedAt;
        const doc = reportedAt === undefined ? member : { ...member, reportedAt };
        if (taken === token) return doc;
        if (!reported || dueAt === undefined) return null;
        // Marked anew meanwhile: reported when the quiet time is over.
        return {
          ...doc,
          dueAt: Math.max(dueAt, clock.now() + quietMs),
          ...(taken === undefined ? {} : { taken }),
        };
      }),
    /** The ledger has not all of it: the mark stands, behind those who wait. */
    postponed: (referrerId: string): Promise<void> =>
      members.update(referrerId, ({ taken: _taken, ...member }) =>
        member.dueAt === undefined ? null : { ...member, dueAt: clock.now() },
      ),
  };
}
