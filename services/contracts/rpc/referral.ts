import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Processes a code that was carried through sign-in; idempotent. A refusal comes as a problem. */
export const processReferralRpc = rpc(
  'referral.process.auth',
  z.object({ userId: id128, referralCode: z.string() }),
  z.object({ referredBonusMicro: integerText, pending: z.boolean() }),
);
