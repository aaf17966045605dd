import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { deviceStorage, type Sdk } from '@cord/sdk';
import { RANK_SEEN_KEY } from '../session/use-away';

/** Where a user stood of all time when this device asked last, and who stood right behind. */
export interface RankSeen {
  userId: string;
  rank: number;
  /** Their ids, the nearest first. */
  behind: readonly string[];
}

/** What a device had kept of this user's rank; null while unranked, or where it has not asked. */
export function readRankSeen(text: string | null, userId: string): RankSeen | null {
  try {
    const kept = JSON.parse(text ?? 'null') as Record<string, unknown> | null;
    if (kept?.userId !== userId || typeof kept.rank !== 'number' || !Array.isArray(kept.behind)) return null;
    return { userId, rank: kept.rank, behind: kept.behind.filter((id) => typeof id === 'string') };
  } catch {
    return null;
  }
}

/** Asks where the user stands, and keeps it on this device for the next return. Without an answer, what was kept stays. */
export async function keepRank({ api, session }: Pick<Sdk, 'api' | 'session'>, userId: string): Promise<void> {
  const answer = await api.call(leaderboardEndpoints.me, { query: { period: 'all-time' } }).catch(() => null);
  if (answer?.entry == null || session.state.get().user?.id !== userId) return;
  const { rank } = answer.entry;
  const behind = answer.neighbours.filter((other) => other.rank > rank).map((other) => other.userId);
  deviceStorage.setItem(RANK_SEEN_KEY, JSON.stringify({ userId, rank, behind } satisfies RankSeen));
}
