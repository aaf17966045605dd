import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { formatCord } from '@cord/ui';
import type { RankedMiner } from './rank-row';

/** Converts an entry for the rank table; `earned` is the amount that this ranking counts. */
export function rankedMiner(entry: LeaderboardEntry, userId: string | null): RankedMiner {
  return {
    key: entry.userId,
    name: entry.username,
    avatar: entry.avatar,
    rank: entry.rank,
    earned: entry.period_earned,
    honor: entry.hasbadgeofhonor,
    mining: entry.is_node_active,
    you: entry.userId === userId,
    accountAge: entry.account_age,
    multiplier: entry.multiplier,
  };
}

/** Formats the unsigned difference of two sums of CORD; at least 0.01, since 0.00 would mean no difference. */
export function formatDistance(difference: number): string {
  return formatCord(Math.max(0.01, Math.abs(difference)));
}
