import type { ClaimRefusal } from '@cord/contracts/http/admin';
import { COMPENSATION_MICRO, CORD_CLAIM_MICRO } from '@cord/contracts/rules/bonuses';

/** A completed one-time claim. */
export interface ClaimMade {
  amountMicro: bigint;
  atMs: number;
}

/** The state of a user that decides about one-time rewards. */
export interface Holder {
  /** From auth; null until `user.registered` has arrived. */
  joinedAtMs: number | null;
  /** Whether the user returned after an erasure: one-time rewards are granted only once (services/README.md#erasure). */
  returning: boolean;
  badge: { orderId: string; purchasedAtMs: number; transaction: string } | null;
  /** Whether the account is deleted: it receives nothing any more. */
  erased?: boolean;
  compensation: ClaimMade | null;
  cordClaim: ClaimMade | null;
  /** Creation times of the badge orders of the last 24 hours (badge/orders.ts); absent before the first. */
  ordersAtMs?: readonly number[];
}

/** Kinds of one-time claims, with their amount in micro-CORD. */
export const CLAIMS = {
  compensation: { source: 'compensation', amountMicro: COMPENSATION_MICRO, reason: 'Compensation' },
  cordClaim: { source: 'cordclaim', amountMicro: CORD_CLAIM_MICRO, reason: 'Badge of Honor reward' },
} as const;
export type ClaimKind = keyof typeof CLAIMS;

/** Terms of the compensation, from the configuration. */
export interface CompensationTerms {
  on: boolean;
  /** Only accounts that joined before this time may claim; null: every account. */
  untilMs: number | null;
}

/** Returns why a claim is refused; null when it is allowed (services/contracts/rules/README.md#one-time-claims). */
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
