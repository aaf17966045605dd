import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, integerText } from './envelope.js';

/** The user's place among referrals: own code, referrer, friends. Published for each side of a link. */
export const referralLinked = eventKind('referral', 'linked', {
  referralCode: z.string(),
  referredBy: z.object({ userId: id128, username: z.string() }).nullable(),
  totalReferrals: z.number().int(),
  /** Commission and bonuses paid so far, micro-CORD. */
  earningsMicro: integerText,
});
