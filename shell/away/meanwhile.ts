import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import type { MiningSession } from '@cord/contracts/http/mining';
import { ApiError, type Sdk } from '@cord/sdk';
import { earnedBy, type LastSeen } from '../session/last-seen';
import type { Away } from '../session/use-away';
import { type RankSeen, readRankSeen } from './rank-seen';

type Standing = ResponseOf<typeof leaderboardEndpoints.me>;

/** micro-CORD, and what it is made of. */
export interface Mined {
  micro: bigint;
  /** What the session that ran at the end of the visit before has earned since; null where none ran. */
  wentOnMicro: bigint | null;
  /** What was begun since has earned. */
  begunMicro: bigint;
}

export interface Ranked {
  now: number;
  /** Null where it was not known. */
  was: number | null;
  /** How many have passed, less those who were passed. */
  passed: number;
  /** Those of them who are known by name. */
  names: string[];
}

/** More sessions than anybody starts in a few days; the endpoint gives no more at once. */
const SESSIONS = 100;

/** Asks what the node has earned since; null where nobody can tell. */
export async function askMined(
  { api }: Pick<Sdk, 'api'>,
  { before }: Away,
  signal: AbortSignal,
): Promise<Mined | null> {
  const input = { params: { id: before.userId }, query: { limit: String(SESSIONS) }, signal };
  return minedSince(before, await api.call(miningEndpoints.history, input));
}

/** Asks where the user stands now, and who of those behind has passed; null while unranked. */
export async function askRank(
  { api }: Pick<Sdk, 'api'>,
  { before, rankSeen }: Away,
  signal: AbortSignal,
): Promise<Ranked | null> {
  const answer = await api.call(leaderboardEndpoints.me, { query: { period: 'all-time' }, signal });
  return rankedSince(readRankSeen(rankSeen, before.userId), answer, (id) => minerNow(api, id, signal));
}

/**
 * What the node's sessions have earned since this device showed them last, exact by session; each up to the moment of its answer.
 * @param sessions newest first; null where they do not reach back far enough, or what ran then is not known
 */
export function minedSince({ session, atMs }: LastSeen, sessions: readonly MiningSession[]): Mined | null {
  if (session === undefined) return null;
  const isBefore = ({ startedAt }: MiningSession) => Date.parse(startedAt) <= atMs;
  if (sessions.length >= SESSIONS && !sessions.some(isBefore)) return null;
  const earned = (each: MiningSession) => earnedBy(each, Date.parse(each.serverTime));
  const same = sessions.find(({ id }) => id === session?.id);
  const wentOn = session === null || same === undefined ? null : earned(same) - session.micro;
  const begunMicro = sessions
    .filter((each) => each.id !== session?.id && !isBefore(each))
    .reduce((sum, each) => sum + earned(each), 0n);
  // What was shown then may have been a micro-CORD more than the ledger's remainder gave.
  const wentOnMicro = wentOn !== null && wentOn < 0n ? 0n : wentOn;
  return { micro: (wentOnMicro ?? 0n) + begunMicro, wentOnMicro, begunMicro };
}

/** A miner's place and name of this moment; null for one who is not there any more. */
type AskMiner = (userId: string) => Promise<{ rank: number; name: string } | null>;

/** Who of those that stood right behind stands ahead now, and how many places were lost in all. */
export async function rankedSince(
  before: RankSeen | null,
  { entry, neighbours }: Standing,
  askMiner: AskMiner,
): Promise<Ranked | null> {
  if (entry === null) return null;
  const now = entry.rank;
  if (before === null) return { now, was: null, passed: 0, names: [] };
  const others = await Promise.all(
    before.behind.map(async (userId) => {
      const near = neighbours.find((each) => each.userId === userId);
      return near === undefined ? askMiner(userId) : { rank: near.rank, name: near.username };
    }),
  );
  const names = others
    .filter((other) => other !== null)
    .filter(({ rank }) => rank < now)
    .sort((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
  return { now, was: before.rank, passed: Math.max(names.length, now - before.rank), names };
}

async function minerNow(api: Sdk['api'], id: string, signal: AbortSignal): ReturnType<AskMiner> {
  const places = await api.call(leaderboardEndpoints.miner, { params: { id }, signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  const entry = places?.neighbours.find(({ userId }) => userId === id);
  return entry === undefined ? null : { rank: entry.rank, name: entry.username };
}
