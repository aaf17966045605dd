import type { Clock } from '@cord/kit/clock';
import type { ReferralStore } from './store.js';

/**
 * The marks of referrers with something to pay (money.md, Commission): a mark stands before a sum moves, and goes only
 * after the ledger has answered for the sum that was read. Who pays takes the mark and leaves it standing; whatever
 * moves a sum meanwhile marks anew, and then the payer's own end does not take the mark away.
 */
export interface Dues {
  /** Marks a referrer, or marks anew while somebody pays. An erased one is paid nothing more. */
  mark(referrerId: string): Promise<void>;
  /** Begins a payment, before the sums are read. @returns what to give to `settled`, null when nothing is due */
  take(referrerId: string): Promise<bigint | null>;
  /** The ledger has all of the sums that were read after `take`. */
  settled(referrerId: string, taken: bigint): Promise<void>;
  /** A payment did not come through: the mark stands, behind those who wait. */
  postponed(referrerId: string): Promise<void>;
}

export function createDues(store: Pick<ReferralStore, 'members'>, clock: Pick<Clock, 'now'>): Dues {
  const { members } = store;
  return {
    mark: (referrerId) =>
      members.change(referrerId, ({ taken, ...member }) => {
        const stands = member.dueAt !== undefined && taken === undefined;
        return { doc: stands || member.erased ? null : { ...member, dueAt: clock.now() }, result: undefined };
      }),
    take: (referrerId) =>
      members.change(referrerId, (member) => {
        if (member.dueAt === undefined) return { doc: null, result: null };
        const taken = member.seq + 1n;
        return { doc: { ...member, taken }, result: taken };
      }),
    settled: (referrerId, token) =>
      members.change(referrerId, ({ dueAt: _dueAt, taken, ...member }) => ({
        doc: taken === token ? member : null,
        result: undefined,
      })),
    postponed: (referrerId) =>
      members.change(referrerId, ({ taken: _taken, ...member }) => ({
        doc: member.dueAt === undefined ? null : { ...member, dueAt: clock.now() },
        result: undefined,
      })),
  };
}
