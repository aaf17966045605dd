import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { referralPlace } from '../events/referral.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** What referrals needs of a newcomer; `user.registered` carries the same, later. */
const newcomer = z.object({
  username: z.string(),
  avatar: z.string().nullable(),
  /** Returned after an erasure: one-time rewards do not come again (services/README.md#erasure). */
  returning: z.boolean(),
  /** What the own welcome credit is, micro-CORD. */
  welcomeMicro: integerText,
});
export type Newcomer = z.infer<typeof newcomer>;

/** A place among referrals, and the version of the document that it comes from: as in an event. */
const placeReply = z.object({ seq: integerText, ...referralPlace });
export type ReferralPlace = z.infer<typeof placeReply>;

/**
 * Takes a newcomer in: gives a code of their own and processes the one that was carried through sign-in; idempotent.
 */
export const processReferralRpc = rpc(
  'referral.process.auth',
  { from: ['auth'], by: 'referrals' },
  z.object({ userId: id128, referralCode: z.string().nullable(), newcomer }),
  z.object({
    /** The newcomer's bonus, micro-CORD; 0 without a code. */
    referredBonusMicro: integerText,
    /** Whether the code, or its bonus, is still on its way. */
    pending: z.boolean(),
    /** The code was refused for good. */
    refused: z.boolean(),
    place: placeReply,
  }),
);

/** Whose code it is; null for a code of no user, or whose owner is gone. */
export const codeOwnerRpc = rpc(
  'referral.owner',
  { from: ['notices'], by: 'referrals', toEach: true },
  z.object({ code: z.string().regex(/^[A-Z0-9]{6,8}$/) }),
  z.object({ userId: id128.nullable() }),
);
