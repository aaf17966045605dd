import { at, createTestSdk, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import type { Friend, ReferralStats } from './use-referrals';

export function sampleFriend(name: string, changes: Partial<Friend> = {}): Friend {
  return {
    id: name,
    referredUsername: name,
    referredUser: { username: name, avatar: null, total_earned: 3_268 },
    createdAt: '2026-10-03T10:00:00.000Z',
    totalEarnings: 412.8,
    bonusStatus: 'credited',
    friendRanMs: 3_600_000,
    ...changes,
  };
}

export const FRIENDS: Friend[] = [
  sampleFriend('moss_and_tin'),
  sampleFriend('Anneke V.', { totalEarnings: 286.14 }),
  sampleFriend('pavel.k', { totalEarnings: 231.07, bonusStatus: 'held' }),
  sampleFriend('the_very_long_discord_name_of_32', { totalEarnings: 9_999_999.99 }),
  sampleFriend('harrow', { totalEarnings: 0, bonusStatus: 'refused' }),
  sampleFriend('kestrel.io', { totalEarnings: 2.31, bonusStatus: 'pending', friendRanMs: 6 * 60_000 + 5_000 }),
];

export const STATS: ReferralStats = {
  referralCode: 'K7M2QX9D',
  totalReferrals: FRIENDS.length,
  totalEarnings: 1_398.55,
  heldEarnings: 0,
  referredBy: { userId: 'b'.repeat(32), username: 'old_lantern' },
  pendingCode: null,
  referralHistory: FRIENDS,
};

/** An sdk with a referrals service. */
export function referralsSdk(stats: Partial<ReferralStats> = {}, options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk(options);
  sdk.api.on(at.referrals.stats, { ...STATS, ...stats }).on(at.referrals.process, {
    success: true,
    updatedUser: { id: sampleUser().id, referred_by: 'old_lantern' },
    referredBonus: 87.5,
    referrerBonus: 86,
    referrerStatus: 'pending',
    pending: false,
  });
  return sdk;
}

/** A user without a referrer. */
export const UNREFERRED = sampleUser({ referred_by: null });
