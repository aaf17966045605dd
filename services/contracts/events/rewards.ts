import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, eventKindOfTwo, integerText, OF_ALL, openEnum, timeMs } from './envelope.js';

/** The user owns the badge, proven on chain (services/contracts/rules/README.md#badge-of-honor). */
export const badgePurchased = eventKind('badge', 'purchased', 800, {
  orderId: z.string(),
  purchasedAt: timeMs,
  /** The transaction that paid for the badge. */
  transaction: z.string().max(100),
});

/**
 * A rejected payment was returned to its payer, proven on chain. One message per refund,
 * `cord.badge.v1.refunded.<user>.<refund>`.
 */
export const badgeRefunded = eventKindOfTwo('badge', 'refunded', 896, {
  refundId: id128,
  /** The amount that the buyer sent and got back. */
  lamports: z.number().int().min(1),
  /** Why the payment was rejected: one of PAYMENT_REFUSALS. */
  reason: z.string().max(100),
  /** The transaction that returned the payment. */
  returnTransaction: z.string().max(100),
  provenAt: timeMs,
});

const oneClaim = z.object({ amountMicro: integerText, claimedAt: timeMs });

/**
 * A one-time claim was made. `kind` is the latest claim; `claims` holds all claims of the user, so a user's last
 * event is complete.
 */
export const claimMade = eventKind('claim', 'made', 896, {
  kind: openEnum(['compensation', 'cordclaim']),
  amountMicro: integerText,
  claimedAt: timeMs,
  claims: z.object({ compensation: oneClaim.nullable(), cordclaim: oneClaim.nullable() }),
});

/** One epoch of the table. `endAt` is exclusive. */
export const epochRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  multiplierHundredths: z.number().int().min(1).max(10_000),
  startAt: timeMs,
  endAt: timeMs,
});
export type EpochRow = z.infer<typeof epochRow>;

const micro = (most: number) => z.number().int().min(0).max(most);
export const ruleTier = z.object({
  fromYears: z.number().int().min(0).max(99),
  hundredths: z.number().int().min(1).max(10_000),
});
export const RULE_TIERS_MAX = 20;

/** A rule book (rules/rule-book.ts) in messages. The ledger enforces these bounds too, so a compromised rewards service cannot exceed them. */
export const ruleBook = z.object({
  version: z.number().int().min(1),
  fromMs: timeMs,
  baseNano: z.number().int().min(1).max(10_000_000_000),
  tiers: z.array(ruleTier).min(1).max(RULE_TIERS_MAX),
  badgeHundredths: z.number().int().min(100).max(200),
  checkinMicro: micro(150_000_000),
  streakStepMicro: micro(150_000_000),
  streakMostMicro: micro(150_000_000),
  commissionPercent: z.number().int().min(0).max(100),
  taskMostMicro: z.number().int().min(1).max(10_000_000_000),
});

/**
 * The whole table of rules after a change, epochs and books; `seq` is its version (services/mining/ledger/README.md#accrual). Published
 * under NOBODY.
 */
export const epochChanged = eventKind('epoch', 'changed', OF_ALL, {
  epochs: z.array(epochRow),
  /** `announcedAtMs` is null for the first book. */
  books: z.array(ruleBook.extend({ announcedAtMs: timeMs.nullable() })),
});
