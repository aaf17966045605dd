import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { microToNumber } from '@cord/contracts/rules/money';
import { DELETED_NAME } from '@cord/contracts/texts';
import { withOwnCode } from '../codes.js';
import { bonusStatus, heldMicro, type Standing, tallyOf } from '../domain/bucket.js';
import { bonusWaits } from '../domain/network.js';
import type { Earning } from '../ledger.js';
import { type ReferralStore, sumOf } from '../store.js';

/** Friends shown at the most, newest first. */
const HISTORY_MAX = 1_000;

/** Code, friends and what they brought (spec part 3, Referral stats). */
export async function presentStats(store: ReferralStore, userId: string, nowMs: number) {
  const member = await withOwnCode(store, userId, nowMs);
  const buckets = await store.bucketsOf(userId);
  const friends = buckets.flatMap((bucket) => Object.entries(bucket.friends));
  const newest = friends.sort(([, a], [, b]) => b.linkedAtMs - a.linkedAtMs).slice(0, HISTORY_MAX);
  const referrerId = member.referredBy?.userId;
  const names = await store.membersById([...newest.map(([id]) => id), ...(referrerId ? [referrerId] : [])]);
  const tally = sumOf(buckets.map(tallyOf));
  const heldEligible = friends.reduce((sum, [, friend]) => sum + heldMicro(friend), 0n);
  const standing: Standing = {
    referrer: member.address,
    waits: (id, friend) => !friend.released && bonusWaits(friend, names.get(id)?.mined, member.mined, nowMs),
  };
  const nameOf = (id: string) => names.get(id)?.profile?.username ?? DELETED_NAME;
  return {
    referralCode: member.code ?? '',
    totalReferrals: tally.friends,
    totalEarnings: microToNumber(member.commission.paidMicro + BigInt(tally.bonuses) * REFERRER_BONUS_MICRO),
    heldEarnings: microToNumber(heldEligible / 10n),
    referredBy: referrerId ? { userId: referrerId, username: nameOf(referrerId) } : null,
    pendingCode: member.pendingCode,
    referralHistory: newest.map(([id, friend]) => ({
      id,
      referredUsername: nameOf(id),
      referredUser: {
        username: nameOf(id),
        avatar: names.get(id)?.profile?.avatar ?? null,
        total_earned: microToNumber(friend.totalMicro),
      },
      createdAt: new Date(friend.linkedAtMs).toISOString(),
      totalEarnings: microToNumber(
        friend.countedMicro / 10n + (friend.bonus === 'credited' ? REFERRER_BONUS_MICRO : 0n),
      ),
      bonusStatus: bonusStatus(id, friend, standing),
      friendRanMs: friend.ranMs,
    })),
  };
}

/** What came since a time, newest first, with its sum. */
export function presentEarnings(earned: readonly Earning[]) {
  return {
    total: microToNumber(earned.reduce((sum, each) => sum + each.amountMicro, 0n)),
    earnings: earned.map(({ atMs, amountMicro }) => ({
      at: new Date(atMs).toISOString(),
      amount: microToNumber(amountMicro),
    })),
  };
}
