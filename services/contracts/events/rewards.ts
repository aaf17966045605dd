import { z } from 'zod';
import { eventKind, integerText, openEnum, timeMs } from './envelope.js';

/** The badge is owned: proven on chain (decisions, Badge). */
export const badgePurchased = eventKind('badge', 'purchased', { orderId: z.string(), purchasedAt: timeMs });

const oneClaim = z.object({ amountMicro: integerText, claimedAt: timeMs });

/**
 * A one-time claim was made: the latest in `kind`, and all that the user has made so far, so that the last event of a
 * user tells everything. Readers go by `claims`; it is absent in events of older releases.
 */
export const claimMade = eventKind('claim', 'made', {
  kind: openEnum(['compensation', 'cordclaim']),
  amountMicro: integerText,
  claimedAt: timeMs,
  claims: z.object({ compensation: oneClaim.nullable(), cordclaim: oneClaim.nullable() }).optional(),
});

/** One epoch of the table. The end is exclusive. */
export const epochRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  multiplierHundredths: z.number().int().min(1).max(10_000),
  startAt: timeMs,
  endAt: timeMs,
});
export type EpochRow = z.infer<typeof epochRow>;

/** The whole epoch table after a change; `seq` is its version (money.md, Accrual). Stands under NOBODY. */
export const epochChanged = eventKind('epoch', 'changed', { epochs: z.array(epochRow) });
