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

/** The account of a user, from the ledger just now. */
export interface KnownAccount extends AccountState {
  /** Version of the account, a decimal string. */
  seq: string;
  /** nano-CORD per minute that a running node earns. */
  rateNano: string;
}

/** Everything a user record is put together from; a part whose owner is silent is null (services/README.md#who-owns-what). */
export interface RecordParts {
  user: UserDoc;
  account: KnownAccount | null;
  /** Undefined when the leaderboard did not answer, null while unranked. */
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
  /** Efficiency multiplier x 100 of the anti-cheat assessment. */
  efficiencyHundredths: number;
  /** The rule book of now. */
  book: RuleBook;
}

/** The whole record for its owner. */
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

/** What others see. */
export function publicView(user: User): PublicUser {
  const { id, username, avatar, account_age, join_date, total_earned, hasbadgeofhonor, is_node_active, rank } = user;
  return { id, username, avatar, account_age, join_date, total_earned, hasbadgeofhonor, is_node_active, rank };
}

/** A node whose lease has run out is paused, whether or not the event has come yet (services/mining/ledger/README.md#accrual). */
function nodeFields(account: KnownAccount | null, nowMs: number): Pick<User, 'is_node_active' | 'node_start_time'> {
  if (account === null) return { is_node_active: null, node_start_time: null };
  const { status, startedAt, leaseUntil } = account.node;
  const active = status === 'active' && (leaseUntil === null || leaseUntil > nowMs);
  return { is_node_active: active, node_start_time: active && startedAt !== null ? isoTime(startedAt) : null };
}

/** A running node's balance is true up to its last credit: an account known by its last event alone may be older than now. */
function balanceTime({ node }: KnownAccount, nowMs: number): string {
  return isoTime(node.status === 'active' ? (node.creditedUntil ?? nowMs) : nowMs);
}

/** A total of another day, week or month counts nothing in the present one. */
function periodCord(period: { key: string; micro: string }, presentKey: string): number {
  return period.key === presentKey ? cordOf(period.micro) : 0;
}

function cordOf(micro: string): number {
  return microToNumber(microFromString(micro));
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
