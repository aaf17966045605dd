import type { Endpoint } from '@cord/contracts/endpoint';
import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { leaderboardEndpoints } from '@cord/contracts/http/leaderboard';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { referralEndpoints } from '@cord/contracts/http/referrals';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { supportEndpoints } from '@cord/contracts/http/support';
import { taskEndpoints } from '@cord/contracts/http/tasks';
import { userEndpoints } from '@cord/contracts/http/users';
import { RATE_LIMITS } from '@cord/contracts/limits';
import {
  ANTICHEAT_RECHECK_MS,
  LEADERBOARD_REFETCH_MS,
  NODE_REFETCH_MS,
  REFERRALS_STALE_MS,
  SAVE_INTERVAL_MS,
  SOL_PRICE_REFRESH_MS,
  STATS_REFETCH_MS,
  TASK_RELOAD_MS,
} from '@cord/contracts/rules/timings';
import { describe, expect, inject, test } from 'vitest';
import { inParallel } from '../../test/kit/people.ts';
import { call, type Signed, signInByBearer } from './client.js';

const origin = inject('origin');
const TABS = 10;
const MINUTE_MS = 60_000;

/** Requests of one open tab while the live stream is down, and their intervals. */
const POLLING: [Endpoint, number][] = [
  [miningEndpoints.current, NODE_REFETCH_MS],
  [miningEndpoints.rate, STATS_REFETCH_MS],
  [miningEndpoints.save, SAVE_INTERVAL_MS],
  [userEndpoints.get, STATS_REFETCH_MS],
  [rewardEndpoints.currentEpoch, STATS_REFETCH_MS],
  [taskEndpoints.mine, TASK_RELOAD_MS],
  [checkinEndpoints.status, STATS_REFETCH_MS],
  [leaderboardEndpoints.list, LEADERBOARD_REFETCH_MS],
  [leaderboardEndpoints.me, LEADERBOARD_REFETCH_MS],
  [leaderboardEndpoints.global, STATS_REFETCH_MS],
  [referralEndpoints.stats, REFERRALS_STALE_MS],
  [rewardEndpoints.solPrice, SOL_PRICE_REFRESH_MS],
  [supportEndpoints.anticheat, ANTICHEAT_RECHECK_MS],
];
const callsAMinute = (everyMs: number) => Math.ceil(MINUTE_MS / everyMs) * TABS;

const paramsOf = ({ userId }: Signed, sessionId: string) => ({ id: userId, userId, sessionId });

describe('rate limits', () => {
  test.each(POLLING.map(([endpoint, everyMs]) => [endpoint.id, endpoint, everyMs] as const))(
    'are more than twice what ten tabs need to poll %s',
    (_, endpoint, everyMs) => {
      const { points, seconds } = RATE_LIMITS[endpoint.rateClass];
      expect((callsAMinute(everyMs) * seconds) / 60).toBeLessThan(points / 2);
    },
  );

  test('allow a minute’s polling of ten tabs at once', async () => {
    const me = await signInByBearer(origin);
    const started = await call(me, miningEndpoints.start, { params: paramsOf(me, ''), body: {} });
    const params = paramsOf(me, (started.body as { id: string }).id);
    const calls = POLLING.flatMap(([endpoint, everyMs]) =>
      Array.from(
        { length: callsAMinute(everyMs) },
        () => () => call(me, endpoint, { params, ...(endpoint.method === 'GET' ? {} : { body: {} }) }),
      ),
    );
    const answers = await inParallel(calls, 8, (send) => send());
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
