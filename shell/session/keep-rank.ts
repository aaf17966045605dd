import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { deviceStorage, type Sdk } from '@cord/sdk';
import type { RankSeen } from '../away/rank-seen';

/** Under this name this device keeps where the user stood when it asked last (away/rank-seen.ts reads it). */
export const RANK_SEEN_KEY = 'cord.rank-seen';

/** Asks where the user stands, and keeps it on this device for the next return. Without an answer, what was kept stays. */
export async function keepRank({ api, session }: Pick<Sdk, 'api' | 'session'>, userId: string): Promise<void> {
  const answer = await api.call(leaderboardEndpoints.me, { query: { period: 'all-time' } }).catch(() => null);
  if (answer?.entry == null || session.state.get().user?.id !== userId) return;
  const { rank } = answer.entry;
  const behind = answer.neighbours.filter((other) => other.rank > rank).map((other) => other.userId);
  deviceStorage.setItem(RANK_SEEN_KEY, JSON.stringify({ userId, rank, behind } satisfies RankSeen));
}
