import type { AccountState } from '@cord/contracts/events/balance';
import type { PublicUser, User } from '@cord/contracts/http/users';
import { displayedAge } from '@cord/contracts/rules/age';
import { periodKeys } from '@cord/contracts/rules/days';
import { microFromString, microToNumber } from '@cord/contracts/rules/money';
import { rateToNumber } from '@cord/contracts/rules/rate';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import { avatarPath } from './avatar.js';
import type { UserDoc } from './user-doc.js';

/** A user's current account from the ledger. */
export interface KnownAccount extends AccountState {
  /** Version of the account, a decimal string. */
  seq: string;
  /** Rate of a running node, nano-CORD per minute. */
  rateNano: string;
}

/** The parts of a user record; a part whose owner does not respond is null (services/README.md#who-owns-what). */
export interface RecordParts {
  user: UserDoc;
  account: KnownAccount | null;
  /** Undefined when the leaderboard did not respond, null while unranked. */
  rank: number | null | undefined;
  ownsBadge: boolean;
  compensationClaimed: boolean;
  referral: {
    referralCode: string;
    referredBy: { username: string } | null;
    totalReferrals: number;
    earningsMicro: string;
  } | null;
  /** UTC day of the last check-in, null before the first. */
  checkinDayKey: string | null;
  tasksCompleted: number;
  /** Factor of the anti-cheat assessment x 100. */
  efficiencyHundredths: number;
  /** The rule book in force. */
  book: RuleBook;
}

/** Composes the whole record for its owner. */
export function composeUser(parts: RecordParts, nowMs: number): User {
  const { user, account, referral, book } = parts;
  const total = account && cordOf(account.total);
  const { day, week, month } = periodKeys(nowMs);
  return {
    id: user._id,
    username: user.username,
    discriminator: user.discriminator,
    avatar: avatarPath(user),
    account_age: displayedAge(user.discordCreatedAtMs, nowMs),
    join_date: isoTime(user.joinedAtMs),
    multiplier: Number(tierHundredths(book, nowMs - user.discordCreatedAtMs)) / 100,
    total_earned: total,
    current_balance: account && cordOf(account.balance),
    lastsavedbalance: account && cordOf(account.balance),
    weekly_earnings: account && periodCord(account.week, week),
    monthly_earnings: account && periodCord(account.month, month),
    daily_earnings: account && periodCord(account.day, day),
    referralCode: referral?.referralCode ?? null,
    referred_by: referral?.referredBy?.username ?? null,
    referralEarnings: referral && cordOf(referral.earningsMicro),
    totalReferrals: referral?.totalReferrals ?? null,
    rank: parts.rank ?? null,
    last_login_time: isoTime(user.lastLoginAtMs),
    ...nodeFields(account, nowMs),
    tasks_completed: parts.tasksCompleted,
    daily_checkin_claimed: parts.checkinDayKey === day,
    hasbadgeofhonor: parts.ownsBadge,
    comp_claim: parts.compensationClaimed,
    currentEpochId: account?.epoch.id ?? null,
    epochJoinDate: account?.epoch.joinedAt == null ? null : isoTime(account.epoch.joinedAt),
    totalEpochEarnings: account && cordOf(account.epoch.micro),
    efficiencyMultiplier: parts.efficiencyHundredths / 100,
    rate: account && rateToNumber(BigInt(account.rateNano)),
    balanceSeq: account?.seq ?? null,
    balanceAt: account && balanceTime(account, nowMs),
    locale: user.locale,
    theme: user.theme,
    isAdmin: user.isAdmin,
    serverTime: isoTime(nowMs),
  };
}

/** Returns the fields that other users see. */
export function publicView(user: User): PublicUser {
  const { id, username, avatar, account_age, join_date, total_earned, hasbadgeofhonor, is_node_active, rank } = user;
  return { id, username, avatar, account_age, join_date, total_earned, hasbadgeofhonor, is_node_active, rank };
}

/** A node with an expired lease counts as paused, even before the event arrives (services/mining/ledger/README.md#accrual). */
function nodeFields(account: KnownAccount | null, nowMs: number): Pick<User, 'is_node_active' | 'node_start_time'> {
  if (account === null) return { is_node_active: null, node_start_time: null };
  const { status, startedAt, leaseUntil } = account.node;
  const active = status === 'active' && (leaseUntil === null || leaseUntil > nowMs);
  return { is_node_active: active, node_start_time: active && startedAt !== null ? isoTime(startedAt) : null };
}

/** Returns the time at which the balance was correct. For a running node that is its last credit, which may be in the past. */
function balanceTime({ node }: KnownAccount, nowMs: number): string {
  return isoTime(node.status === 'active' ? (node.creditedUntil ?? nowMs) : nowMs);
}

/** Returns the total of a period; 0 when it is from another day, week or month. */
function periodCord(period: { key: string; micro: string }, presentKey: string): number {
  return period.key === presentKey ? cordOf(period.micro) : 0;
}

function cordOf(micro: string): number {
  return microToNumber(microFromString(micro));
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
