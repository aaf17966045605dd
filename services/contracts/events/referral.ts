import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, eventKindOfTwo, integerText, timeMs } from './envelope.js';

/** A user's place among referrals: own code, referrer, friends. */
export const referralPlace = {
  referralCode: z.string(),
  /** The referrer, without a name: auth owns names. */
  referredBy: z.object({ userId: id128 }).nullable(),
  /** Number of friends who joined, without those who returned after an erasure (services/README.md#erasure). */
  totalReferrals: z.number().int(),
  /** Commission and bonuses paid so far, micro-CORD. */
  earningsMicro: integerText,
};

/** The user's referrals have changed. Published for both sides of a link. */
export const referralLinked = eventKind('referral', 'linked', 896, referralPlace);

/**
 * A friend is linked to a referrer: one message per friend, `cord.referral.v1.joined.<referrer>.<friend>`. `userId` is the
 * referrer, `seq` the version of the friend's own record. No name: auth owns names.
 */
export const referralJoined = eventKindOfTwo('referral', 'joined', 768, {
  friendId: id128,
  /** When the code was entered: notices skip friends who joined long ago. */
  joinedAt: timeMs,
  /** False for a friend who returned after an erasure: such a friend earns the referrer nothing. */
  counts: z.boolean(),
});
