import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import type { OutboxCredit } from '@cord/kit/outbox/items';

/** The commission credited to a referrer. */
export interface Commission {
  /** Running total that the ledger has confirmed, micro-CORD. */
  paidMicro: bigint;
  /** Sum of the 86 CORD bonuses credited by the ledger, micro-CORD. */
  bonusMicro: bigint;
}

export const NO_COMMISSION: Commission = { paidMicro: 0n, bonusMicro: 0n };

/** Returns the commission after a response of the ledger, whose totals only increase; the same object when nothing changed. */
export function confirmed(commission: Commission, field: keyof Commission, ledgerMicro: bigint): Commission {
  return ledgerMicro <= commission[field] ? commission : { ...commission, [field]: ledgerMicro };
}

/** Returns the credit of the referrer's 86 CORD for a friend; it is promised in the friend's record. */
export function bonusOf(referrerId: string, friendId: string): OutboxCredit {
  return {
    kind: 'credit',
    key: `refwelcome:${referrerId}:${friendId}`,
    userId: referrerId,
    source: 'refwelcome',
    amountMicro: REFERRER_BONUS_MICRO,
    reason: 'A friend ran a node for ten minutes',
  };
}
