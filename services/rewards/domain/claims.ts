import type { ClaimRefusal } from '@cord/contracts/http/admin';
import { COMPENSATION_MICRO, CORD_CLAIM_MICRO } from '@cord/contracts/rules/bonuses';

/** A one-time claim that was made. */
export interface ClaimMade {
  amountMicro: bigint;
  atMs: number;
}

/** What one-time rewards of a user depend on. */
export interface Holder {
  /** From auth; null until `user.registered` has arrived. */
  joinedAtMs: number | null;
  /** Returned after an erasure: one-time rewards do not come again (services/README.md#erasure). */
  returning: boolean;
  badge: { orderId: string; purchasedAtMs: number; transaction: string } | null;
  /** The account is deleted: nothing is given any more. */
  erased?: boolean;
  compensation: ClaimMade | null;
  cordClaim: ClaimMade | null;
  /** When the badge orders of the last 24 hours were made (badge/orders.ts); absent before the first. */
  ordersAtMs?: readonly number[];
}

/** Kinds of one-time claims, with their amount in micro-CORD. */
export const CLAIMS = {
  compensation: { source: 'compensation', amountMicro: COMPENSATION_MICRO, reason: 'Compensation' },
  cordClaim: { source: 'cordclaim', amountMicro: CORD_CLAIM_MICRO, reason: 'Badge of Honor reward' },
} as const;
export type ClaimKind = keyof typeof CLAIMS;

/** Compensation as the configuration has it. */
export interface CompensationTerms {
  on: boolean;
  /** Accounts that joined before may claim; null: every account. */
  untilMs: number | null;
}

/** Why a claim is refused; null when it may be made (services/contracts/rules/README.md#one-time-claims). */
export function claimRefusal(kind: ClaimKind, holder: Holder, terms: CompensationTerms): ClaimRefusal | null {
  if (holder.erased) return 'account-erased';
  if (holder[kind]) return 'already-claimed';
  if (kind === 'cordClaim' && !holder.badge) return 'no-badge';
  if (kind === 'compensation' && !terms.on) return 'closed';
  if (holder.joinedAtMs === null) return 'not-known-yet';
  if (holder.returning) return 'returning';
  if (kind === 'compensation' && terms.untilMs !== null && holder.joinedAtMs >= terms.untilMs) return 'joined-too-late';
  return null;
}
