import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import type { OutboxCredit } from '@cord/kit/outbox/items';

/** What a referrer has had in commission. */
export interface Commission {
  /** Running total that the ledger has confirmed, micro-CORD. */
  paidMicro: bigint;
  /** The 86 CORD for friends that stand in the ledger, micro-CORD. */
  bonusMicro: bigint;
}

export const NO_COMMISSION: Commission = { paidMicro: 0n, bonusMicro: 0n };

/** The commission after an answer of the ledger, whose totals only rise; the very same object when nothing changed. */
export function confirmed(commission: Commission, field: keyof Commission, ledgerMicro: bigint): Commission {
  return ledgerMicro <= commission[field] ? commission : { ...commission, [field]: ledgerMicro };
}

/** The referrer's 86 CORD for one friend, owed by the friend's record. */
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
