import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import type { PromisedCredit, Promises } from '@cord/kit/promised-credits';

/** What a referrer has had in commission. */
export interface Commission {
  /** Running total that the ledger has confirmed, micro-CORD. */
  paidMicro: bigint;
}

export const NO_COMMISSION: Commission = { paidMicro: 0n };

/** The commission after the ledger's answer; the very same object when nothing changed. */
export function confirmed(commission: Commission, ledgerMicro: bigint): Commission {
  return ledgerMicro <= commission.paidMicro ? commission : { ...commission, paidMicro: ledgerMicro };
}

/** A member without some of the credits that it owes, pending or parked. The very same when there are none of them. */
export function withoutCredits<D extends Promises>(member: D, goes: (credit: PromisedCredit) => boolean): D {
  const { promised = [], parked = [], promisedAt, parkedAt, ...rest } = member;
  const owed = promised.filter((credit) => !goes(credit));
  const refused = parked.filter((credit) => !goes(credit));
  if (owed.length === promised.length && refused.length === parked.length) return member;
  return {
    ...rest,
    ...(owed.length > 0 ? { promised: owed, ...marks({ promisedAt }) } : {}),
    ...(refused.length > 0 ? { parked: refused, ...marks({ parkedAt }) } : {}),
  } as D;
}

/** Marks that are there: one that is not must not be written as null. */
function marks(all: Record<string, number | undefined>): Record<string, number> {
  return Object.fromEntries(Object.entries(all).flatMap(([name, ms]) => (ms === undefined ? [] : [[name, ms]])));
}

/** The referrer's 86 CORD for one friend, owed by the friend's record. */
export function bonusOf(referrerId: string, friendId: string): PromisedCredit {
  return {
    key: `refwelcome:${referrerId}:${friendId}`,
    userId: referrerId,
    source: 'refwelcome',
    amountMicro: REFERRER_BONUS_MICRO,
    reason: 'A friend ran a node for ten minutes',
  };
}
