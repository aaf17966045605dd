import type { AccountState } from '@cord/contracts/events/balance';
import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import { displayedAge } from '@cord/contracts/rules/age';
import type { PeriodKeys } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { Standing } from './ranking.js';

/** A total that counts only while its key is the present day, week or month. */
export interface PeriodTotal {
  key: string;
  totalMicro: number;
  reachedAtMs: number;
}

/** What a replica holds of one user: the last account state and profile, by the highest seq of each. */
export interface Miner {
  userId: string;
  /** Version of the ledger account; 0 before the first. */
  accountSeq: number;
  /** Version of the user document; 0 before the first. */
  profileSeq: number;
  username: string | null;
  /** The name in lower case, for searches. Absent in snapshots of the first release. */
  searchName?: string | null;
  avatar: string | null;
  discordCreatedAtMs: number;
  badge: boolean;
  totalMicro: number;
  totalReachedAtMs: number;
  miningMicro: number;
  day: PeriodTotal;
  week: PeriodTotal;
  month: PeriodTotal;
  /** Up to when the running node's lease holds, ms; 0 when it does not run. */
  activeUntilMs: number;
}

/** Name of a miner whose profile has not arrived: unknown is a dash, never invented (look.md, Numbers). */
const NAME_UNKNOWN = '–';

const nothingYet = (): PeriodTotal => ({ key: '', totalMicro: 0, reachedAtMs: 0 });

/** A miner of whom nothing is known but the id. */
export function newMiner(userId: string): Miner {
  return {
    userId,
    accountSeq: 0,
    profileSeq: 0,
    username: null,
    searchName: null,
    avatar: null,
    discordCreatedAtMs: 0,
    badge: false,
    totalMicro: 0,
    totalReachedAtMs: 0,
    miningMicro: 0,
    day: nothingYet(),
    week: nothingYet(),
    month: nothingYet(),
    activeUntilMs: 0,
  };
}

/** What the board looks at of the ledger's account. */
export type RankedAccount = Pick<
  AccountState,
  'total' | 'totalReachedAt' | 'day' | 'week' | 'month' | 'bySource' | 'node'
>;

/** Takes over a ledger account's state (amounts in micro-CORD, as exact as a number is up to 9 billion CORD). */
export function takeAccount(miner: Miner, seq: number, state: RankedAccount): void {
  miner.accountSeq = seq;
  miner.totalMicro = Number(state.total);
  miner.totalReachedAtMs = state.totalReachedAt;
  miner.miningMicro = Number(state.bySource.mining ?? 0);
  for (const name of ['day', 'week', 'month'] as const) {
    const { key, micro, reachedAt } = state[name];
    miner[name] = { key, totalMicro: Number(micro), reachedAtMs: reachedAt };
  }
  miner.activeUntilMs = state.node.status === 'active' ? (state.node.leaseUntil ?? 0) : 0;
}

/** The miner's place in a period's ranking; a total of another day, week or month counts 0. */
export function standingIn(miner: Miner, period: Period, keys: PeriodKeys): Standing {
  if (period === 'all-time') {
    return { userId: miner.userId, totalMicro: miner.totalMicro, reachedAtMs: miner.totalReachedAtMs };
  }
  const totalMicro = totalIn(miner, period, keys);
  const { reachedAtMs } = miner[PERIOD_FIELDS[period]];
  return { userId: miner.userId, totalMicro, reachedAtMs: totalMicro === 0 ? 0 : reachedAtMs };
}

/** What a period's ranking counts of a miner, micro-CORD. */
function totalIn(miner: Miner, period: Period, keys: PeriodKeys): number {
  if (period === 'all-time') return miner.totalMicro;
  const name = PERIOD_FIELDS[period];
  const { key, totalMicro } = miner[name];
  return key === keys[name] ? totalMicro : 0;
}

const PERIOD_FIELDS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** The entry of spec part 3 with its rank. */
export function toEntry(miner: Miner, rank: number, period: Period, keys: PeriodKeys, nowMs: number): LeaderboardEntry {
  const cordIn = (asked: Period) => microToNumber(totalIn(miner, asked, keys));
  return {
    rank,
    userId: miner.userId,
    username: miner.username ?? NAME_UNKNOWN,
    avatar: miner.avatar,
    total_earned: cordIn('all-time'),
    account_age: displayedAge(miner.discordCreatedAtMs, nowMs),
    is_node_active: miner.activeUntilMs > nowMs,
    daily_earnings: cordIn('daily'),
    weekly_earnings: cordIn('weekly'),
    monthly_earnings: cordIn('monthly'),
    period_earned: cordIn(period),
    hasbadgeofhonor: miner.badge,
    multiplier: Number(tierHundredths(nowMs - miner.discordCreatedAtMs)) / 100,
  };
}
