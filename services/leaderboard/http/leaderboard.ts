import { leaderboardEndpoints, type MinerPlaces } from '@cord/contracts/http/leaderboard';
import { PERIODS } from '@cord/contracts/rules/days';
import { TEXTS } from '@cord/contracts/texts';
import type { Http } from '@cord/kit/http';
import { notFound } from '@cord/kit/problem';
import type { Board } from '../domain/board.js';
import type { Presence } from '../domain/presence.js';
import { createSearches } from '../search.js';

/** Registers the routes of rankings, the caller's place and public statistics. */
export function leaderboardRoutes(http: Http, board: Board, presence: Presence): void {
  const searches = createSearches(board);

  http.publicRoute(leaderboardEndpoints.list, async ({ query, now }) => {
    board.rollTo(now);
    return query.search === undefined
      ? board.top(query.period, query.limit, now)
      : searches.find(query.search, query.period, query.limit, now);
  });

  http.publicRoute(leaderboardEndpoints.stats, async ({ now }) => {
    const { totalMiners, activeMiners, totalEarned } = board.stats(now);
    return { totalMiners, activeMiners, total_earned: totalEarned };
  });

  http.route(leaderboardEndpoints.me, async ({ query, user, now }) => {
    board.rollTo(now);
    return board.around(user.id, query.period, now);
  });

  http.publicRoute(leaderboardEndpoints.miner, async ({ params: { id }, now }) => {
    if (!board.has(id)) throw notFound('unknown-user', TEXTS.userNotFound);
    board.rollTo(now);
    return readMinerPlaces(board, id, now);
  });

  http.publicRoute(leaderboardEndpoints.global, async ({ now }) => globalStats(board, presence, now));
}

function readMinerPlaces(board: Board, userId: string, nowMs: number): MinerPlaces {
  const ranks = PERIODS.map((period) => {
    const [entry] = board.entriesOf([userId], period, nowMs);
    return { period, rank: entry?.rank ?? null, earned: entry?.period_earned ?? 0 };
  });
  return { ranks, neighbours: board.around(userId, 'all-time', nowMs).neighbours };
}

/** Returns the statistics of the whole site. */
export function globalStats(board: Board, presence: Presence, nowMs: number) {
  const { totalMiners, activeMiners, totalMined } = board.stats(nowMs);
  return { totalMiners, activeMiners, totalMined, onlineNow: presence.count(nowMs) };
}
