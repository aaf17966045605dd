import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { formatCord } from '@cord/ui';
import type { RankedMiner } from './rank-row';

/** An entry of a ranking as the design system shows it; `earned` is what this ranking counts. */
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

/** How far two sums of CORD are apart, without a sign; what is less than two decimals show is 0.01, for 0.00 would be none. */
export function formatDistance(difference: number): string {
  return formatCord(Math.max(0.01, Math.abs(difference)));
}
