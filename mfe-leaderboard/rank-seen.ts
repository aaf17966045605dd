import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { deviceStorage, type Sdk, useSdk, useUserId } from '@cord/sdk';
import { useEffect } from 'react';

/** A user's all-time rank with the miners right behind. */
export interface RankSeen {
  /** ms by the server's clock. */
  atMs: number;
  rank: number;
  /** Their ids, nearest first. */
  behind: readonly string[];
}

/** Storage key of the last two ranks, at least an hour apart: after a return the newer one belongs to the current visit. */
export const RANK_SEEN_KEY = 'cord.rank-seen';
const APART_MS = 3_600_000;

/** Returns the stored rank before a time, ms by the server's clock; null while unranked or when none is stored. */
export function rankSeenBefore(userId: string, beforeMs: number): RankSeen | null {
  return readSeen(userId).find(({ atMs }) => atMs < beforeMs) ?? null;
}

/** Returns the stored ranks, newest first. */
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

/** Fetches the user's rank and stores it for the next return. A failure keeps the stored one. */
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

/** Stores the rank once the page is quiet and whenever it is hidden; renders nothing. */
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
