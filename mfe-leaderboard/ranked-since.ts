import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import type { ResponseOf } from '@cord/contracts/calls';
import { ApiError, type Away, type Sdk } from '@cord/sdk';
import { type RankSeen, rankSeenBefore } from './rank-seen';

type Standing = ResponseOf<typeof leaderboardEndpoints.me>;

export interface Ranked {
  now: number;
  /** Null when unknown. */
  was: number | null;
  /** Number of miners who have passed, less those who were passed. */
  passed: number;
  /** Names of the known ones. */
  names: string[];
}

/** Returns the user's rank and who of those behind has passed; null while unranked. @throws ApiError */
export async function fetchRank(
  { api }: Pick<Sdk, 'api'>,
  { before, backMs }: Away,
  signal: AbortSignal,
): Promise<Ranked | null> {
  const answer = await api.call(leaderboardEndpoints.me, { query: { period: 'all-time' }, signal });
  return rankedSince(rankSeenBefore(before.userId, backMs), answer, (id) => minerNow(api, id, signal));
}

/** Returns a miner's current rank and name; null when the account is gone. */
type FetchMiner = (userId: string) => Promise<{ rank: number; name: string } | null>;

/** Returns which of the miners right behind are ahead now, and the total number of lost places. */
export async function rankedSince(
  before: RankSeen | null,
  { entry, neighbours }: Standing,
  fetchMiner: FetchMiner,
): Promise<Ranked | null> {
  if (entry === null) return null;
  const now = entry.rank;
  if (before === null) return { now, was: null, passed: 0, names: [] };
  const others = await Promise.all(
    before.behind.map(async (userId) => {
      const near = neighbours.find((each) => each.userId === userId);
      return near === undefined ? fetchMiner(userId) : { rank: near.rank, name: near.username };
    }),
  );
  const names = others
    .filter((other) => other !== null)
    .filter(({ rank }) => rank < now)
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
  return { now, was: before.rank, passed: Math.max(names.length, now - before.rank), names };
}

async function minerNow(api: Sdk['api'], id: string, signal: AbortSignal): ReturnType<FetchMiner> {
  const places = await api.call(leaderboardEndpoints.miner, { params: { id }, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  const entry = places?.neighbours.find(({ userId }) => userId === id);
  return entry === undefined ? null : { rank: entry.rank, name: entry.username };
}
