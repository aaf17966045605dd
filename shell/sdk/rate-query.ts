import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { CurrentRate } from '@cord/contracts/http/mining';
import { type PublishedRate, rateThen } from '@cord/contracts/rules/rate-then';
import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useFreshness, useInterval } from './live/freshness';
import { useUserId } from './node';
import { useRuleBooks } from './rules';
import { type Sdk, useSdk } from './sdk';

/** Key of the own rate in the query cache. */
export function rateKey(userId: string): readonly ['rate', string] {
  return ['rate', userId];
}

/** Mining takes an announced change of the rules up within this time, ms: the rate is requested again until it has it. */
const RULES_LAG_MS = 3_000;

/** The query of GET mining/rate. */
export const rateQuery = ({ api }: Pick<Sdk, 'api'>, userId: string) => ({
  queryKey: rateKey(userId),
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(miningEndpoints.rate, { params: { id: userId }, signal }),
});

/** The rate as the server last sent it, running or not; it shows itself until when it holds, so nobody reads in between. */
export function useServerRate(): CurrentRate | undefined {
  const { api, clock } = useSdk();
  const userId = useUserId();
  const { refetchInterval, ...fresh } = useFreshness({ everyMs: STATS_REFETCH_MS });
  const whileLacking = useInterval(RULES_LAG_MS);
  const changeMs = bookUntilMs(useRuleBooks(), clock.now());
  const lacks = (rate: CurrentRate | undefined) =>
    Number.isFinite(changeMs) && rate !== undefined && Date.parse(rate.rulesChange?.from ?? '') !== changeMs;
  return useQuery({
    ...rateQuery({ api }, userId ?? ''),
    enabled: userId !== null,
    ...fresh,
    refetchInterval: (query) => {
      if (lacks(query.state.data)) return whileLacking(query);
      return refetchInterval === false ? false : refetchInterval(query);
    },
  }).data;
}

/** What the server sent, as it is by now: from the moment on that it names, the next rate. */
export function useRateNow<R extends PublishedRate>(rate: R | null | undefined): R | null {
  const over = useIsPast(rate?.rateUntil ?? null);
  if (!rate) return null;
  return over ? rateThen(rate, Number.POSITIVE_INFINITY) : rate;
}

const never = () => () => undefined;

/** Whether the server's clock has reached this time, null for none. It renders once, when it does. */
export function useIsPast(time: string | null): boolean {
  const { clock, ticker } = useSdk();
  const atMs = time === null ? Number.POSITIVE_INFINITY : Date.parse(time);
  return useSyncExternalStore(time === null ? never : ticker.subscribe, () => clock.now() >= atMs);
}
