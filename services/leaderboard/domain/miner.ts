import type { AccountState } from '@cord/contracts/events/balance';
import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import type { rankCardRpc } from '@cord/contracts/rpc/rank';
import { displayedAge } from '@cord/contracts/rules/age';
import type { PeriodKeys } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import type { z } from 'zod';

/** An amount that counts only while its key is the present day, week or month. */
interface PeriodTotal {
  key: string;
  totalMicro: number;
  reachedAtMs: number;
}

/** A replica's data of one user: the last account state and profile, each with the highest seq. */
export interface Miner {
  userId: string;
  /** Version of the ledger account; 0 before the first. */
  accountSeq: number;
  /** Version of the user document; 0 before the first. */
  profileSeq: number;
  username: string | null;
  avatar: string | null;
  discordCreatedAtMs: number;
  badge: boolean;
  totalMicro: number;
  totalReachedAtMs: number;
  miningMicro: number;
  day: PeriodTotal;
  week: PeriodTotal;
  month: PeriodTotal;
  /** End of the running node's lease, ms; 0 when it does not run. */
  activeUntilMs: number;
}

/** Name shown for a miner whose profile has not arrived: unknown is a dash, never invented (storybook/ui/README.md#numbers). */
const NAME_UNKNOWN = '–';

/** The part of the ledger's account that the board uses. */
export type RankedAccount = Pick<
  AccountState,
  'total' | 'totalReachedAt' | 'day' | 'week' | 'month' | 'bySource' | 'node'
>;

/** The account field of each ranking except all-time. */
export const PERIOD_FIELDS = { daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Returns a miner's amount in a period's ranking, micro-CORD; 0 for an amount of another day, week or month. */
function totalIn(miner: Miner, period: Period, keys: PeriodKeys): number {
  if (period === 'all-time') return miner.totalMicro;
  const name = PERIOD_FIELDS[period];
  const { key, totalMicro } = miner[name];
  return key === keys[name] ? totalMicro : 0;
}

/** The time and rule book for which users are shown. */
export interface Shown {
  nowMs: number;
  book: RuleBook;
}

/** Returns the public entry of a miner with its rank. */
export function toEntry(
  miner: Miner,
  rank: number,
  period: Period,
  keys: PeriodKeys,
  { nowMs, book }: Shown,
): LeaderboardEntry {
  const cordIn = (wanted: Period) => microToNumber(totalIn(miner, wanted, keys));
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
    multiplier: Number(tierHundredths(book, nowMs - miner.discordCreatedAtMs)) / 100,
  };
}

/** A miner's public data and standing in a period. */
export type RankCard = NonNullable<z.output<typeof rankCardRpc.reply>>;

/** Returns the part of a card that does not depend on the period. */
export function publicFacts(miner: Miner, username: string, { nowMs, book }: Shown) {
  return {
    username,
    accountAge: displayedAge(miner.discordCreatedAtMs, nowMs),
    tierHundredths: Number(tierHundredths(book, nowMs - miner.discordCreatedAtMs)),
    badge: miner.badge,
  };
}
