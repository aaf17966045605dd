import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, eventKindOfTwo, integerText, timeMs } from './envelope.js';

/** A user's place among referrals: own code, referrer, friends. */
export const referralPlace = {
  referralCode: z.string(),
  /** No name: names are auth's. */
  referredBy: z.object({ userId: id128 }).nullable(),
  /** Friends who joined, without those who came back after an erasure (services/README.md#erasure). */
  totalReferrals: z.number().int(),
  /** Commission and bonuses paid so far, micro-CORD. */
  earningsMicro: integerText,
};

/** The user's place has changed. Published for each side of a link. */
export const referralLinked = eventKind('referral', 'linked', 896, referralPlace);

/**
 * A friend stands among a referrer's: one message a friend, `cord.referral.v1.joined.<referrer>.<friend>`. `userId` is the
 * referrer, `seq` the version of the friend's own record. No name: auth owns names.
 */
export const referralJoined = eventKindOfTwo('referral', 'joined', 768, {
  friendId: id128,
  /** When the code was entered: notices of friends that joined skip those of long ago. */
  joinedAt: timeMs,
  /** False for one who came back after an erasure: such a friend brings nothing. */
  counts: z.boolean(),
});
