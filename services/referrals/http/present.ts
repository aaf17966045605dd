import { commissionMicro, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { microToNumber } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { DELETED_NAME } from '@cord/contracts/texts';
import { withOwnCode } from '../codes.js';
import { bonusStatus, newFriend, type Standing } from '../domain/friend.js';
import type { Earnings } from '../ledger.js';
import type { Member } from '../member.js';
import type { ReferralStore } from '../store.js';

/** Maximum number of friends shown, newest first. */
const HISTORY_MAX = 1_000;

/** Returns a user's code, friends and earnings from them. */
export async function presentStats(store: ReferralStore, userId: string, nowMs: number) {
  const member = await withOwnCode(store, userId, nowMs);
  const [newest, tally, heldMicro] = await Promise.all([
    store.newestFriends(userId, HISTORY_MAX),
    store.sums.tally(userId),
    store.heldMicroOf(userId),
  ]);
  const referrerId = member.referredBy?.userId;
  const referrer = referrerId ? await store.members.get(referrerId) : null;
  const standing: Standing = { referrer: member.address, mined: member.mined, erased: false, nowMs };
  return {
    referralCode: member.code ?? '',
    totalReferrals: tally.friends,
    totalEarnings: microToNumber(member.commission.paidMicro + member.commission.bonusMicro),
    heldEarnings: microToNumber(heldMicro / 10n),
    referredBy: referrerId ? { userId: referrerId, username: referrer?.profile?.username ?? DELETED_NAME } : null,
    pendingCode: member.pendingCode,
    referralHistory: newest.map((each) => presentFriend(each, standing)),
  };
}

function presentFriend({ _id, profile, referredBy, address, mined, ...record }: Member, standing: Standing) {
  const friend = record.friend ?? newFriend(NOTHING, referredBy?.atMs ?? 0, false);
  const referredUsername = profile?.username ?? DELETED_NAME;
  return {
    id: _id,
    referredUsername,
    referredUser: {
      username: referredUsername,
      avatar: profile?.avatar ?? null,
      total_earned: microToNumber(friend.totalMicro),
    },
    createdAt: new Date(friend.linkedAtMs).toISOString(),
    totalEarnings: microToNumber(
      commissionMicro(FIRST_BOOK, friend.countedMicro) + (friend.bonus === 'credited' ? REFERRER_BONUS_MICRO : 0n),
    ),
    bonusStatus: bonusStatus({ friend, address, mined }, standing),
    friendRanMs: friend.ranMs,
  };
}

/** The account of a friend who is not in the books yet. */
const NOTHING = { accountSeq: 0n, eligibleMicro: 0n, totalMicro: 0n, ranMs: 0 };

/** Presents the earnings of a period: the total, and the newest entries. */
export function presentEarnings({ totalMicro, earned, isWhole }: Earnings) {
  return {
    total: microToNumber(totalMicro),
    earnings: earned.map(({ atMs, amountMicro }) => ({
      at: new Date(atMs).toISOString(),
      amount: microToNumber(amountMicro),
    })),
    isWhole,
  };
}
