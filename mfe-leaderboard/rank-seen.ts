import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { deviceStorage, type Sdk, useSdk, useUserId } from '@cord/sdk';
import { useEffect } from 'react';

/** Where a user stood of all time, and who stood right behind. */
export interface RankSeen {
  /** By the server's clock. */
  atMs: number;
  rank: number;
  /** Their ids, the nearest first. */
  behind: readonly string[];
}

/** Under this name the device keeps the last two standings, at least an hour apart: after a return, the newer is of the present visit. */
export const RANK_SEEN_KEY = 'cord.rank-seen';
const APART_MS = 3_600_000;

/** What this device kept of this user's rank before a moment, ms by the server's clock; null while unranked, or where it has not fetched it. */
export function rankSeenBefore(userId: string, beforeMs: number): RankSeen | null {
  return readSeen(userId).find(({ atMs }) => atMs < beforeMs) ?? null;
}

/** The newest first. */
function readSeen(userId: string): RankSeen[] {
  try {
    const kept = JSON.parse(deviceStorage.getItem(RANK_SEEN_KEY) ?? 'null') as Record<string, unknown> | null;
    return kept?.userId === userId && Array.isArray(kept.seen) ? kept.seen.filter(isSeen) : [];
  } catch {
    return [];
  }
}

function isSeen(kept: unknown): kept is RankSeen {
  const { atMs, rank, behind } = (kept ?? {}) as Record<string, unknown>;
  const isList = Array.isArray(behind) && behind.every((id) => typeof id === 'string');
  return typeof atMs === 'number' && typeof rank === 'number' && isList;
}

/** Fetches where the user stands and keeps it on this device for the next return. Without an answer, what was kept stays. */
async function keepRank({ api, session, clock }: Sdk, userId: string): Promise<void> {
  const answer = await api.call(leaderboardEndpoints.me, { query: { period: 'all-time' } }).catch(() => null);
  if (answer?.entry == null || session.state.get().user?.id !== userId) return;
  const { rank } = answer.entry;
  const behind = answer.neighbours.filter((other) => other.rank > rank).map((other) => other.userId);
  const now: RankSeen = { atMs: clock.now(), rank, behind };
  const [last, earlier] = readSeen(userId);
  const other = last && now.atMs - last.atMs > APART_MS ? last : earlier;
  deviceStorage.setItem(RANK_SEEN_KEY, JSON.stringify({ userId, seen: other ? [now, other] : [now] }));
}

/** Keeps the rank once the page is quiet and whenever it is hidden; shows nothing. */
export function RankKeeper() {
  const sdk = useSdk();
  const userId = useUserId();
  useEffect(() => {
    if (userId === null) return;
    const keep = () => void keepRank(sdk, userId);
    const onChange = () => document.visibilityState === 'hidden' && keep();
    keep();
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [sdk, userId]);
  return null;
}
