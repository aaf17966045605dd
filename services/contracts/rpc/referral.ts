import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { referralPlace } from '../events/referral.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Data of a newcomer that referrals needs; `user.registered` carries the same, later. */
const newcomer = z.object({
  username: z.string(),
  avatar: z.string().nullable(),
  /** The user returned after an erasure and gets no second one-time rewards (services/README.md#erasure). */
  returning: z.boolean(),
  /** The newcomer's welcome credit, micro-CORD. */
  welcomeMicro: integerText,
});
export type Newcomer = z.infer<typeof newcomer>;

/** A user's referral state and the version of its document, as in an event. */
const placeReply = z.object({ seq: integerText, ...referralPlace });
export type ReferralPlace = z.infer<typeof placeReply>;

/** Registers a newcomer: issues a code and processes the one carried through sign-in; idempotent. */
export const processReferralRpc = rpc(
  'referral.process.auth',
  { from: ['auth'], by: 'referrals' },
  z.object({ userId: id128, referralCode: z.string().nullable(), newcomer }),
  z.object({
    /** The newcomer's bonus, micro-CORD; 0 without a code. */
    referredBonusMicro: integerText,
    /** Whether the code, or its bonus, is still pending. */
    pending: z.boolean(),
    /** The code was permanently refused. */
    refused: z.boolean(),
    place: placeReply,
  }),
);

/** Owner of a code; null for an unknown code, or one whose owner was erased. */
export const codeOwnerRpc = rpc(
  'referral.owner',
  { from: ['notices'], by: 'referrals', toEach: true },
  z.object({ code: z.string().regex(/^[A-Z0-9]{6,8}$/) }),
  z.object({ userId: id128.nullable() }),
);
