import { CREDIT_TABLE } from '@cord/contracts/rpc/ledger';
import { commissionMicro } from '@cord/contracts/rules/bonuses';

/** What a referrer has been paid in commission. Amounts are running totals in micro-CORD. */
export interface Commission {
  /** Number of the last payment. */
  n: bigint;
  paidMicro: bigint;
  /** A payment that is fixed and not confirmed yet; retried unchanged (money.md, Commission). */
  pending: { n: bigint; fromMicro: bigint; toMicro: bigint } | null;
}

export const NO_COMMISSION: Commission = { n: 0n, paidMicro: 0n, pending: null };

/** The ledger takes at most this at once. */
const PAYMENT_MICRO_MAX = CREDIT_TABLE.referrals?.commission ?? 0n;

/**
 * Fixes the next payment: from what was paid to ten percent of what the friends earned, with one floor for the referrer.
 * @returns null while one is pending or nothing is due
 */
export function nextPayment(commission: Commission, eligibleMicro: bigint): Commission | null {
  if (commission.pending) return null;
  const fromMicro = commission.paidMicro;
  const dueMicro = commissionMicro(eligibleMicro);
  if (dueMicro <= fromMicro) return null;
  const toMicro = dueMicro - fromMicro > PAYMENT_MICRO_MAX ? fromMicro + PAYMENT_MICRO_MAX : dueMicro;
  return { ...commission, pending: { n: commission.n + 1n, fromMicro, toMicro } };
}

/** The commission after its pending payment stands in the ledger. */
export function paid(commission: Commission, n: bigint): Commission {
  if (commission.pending?.n !== n) return commission;
  return { n, paidMicro: commission.pending.toMicro, pending: null };
}
