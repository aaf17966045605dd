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

/** Query key of the user's own rate. */
export function rateKey(userId: string): readonly ['rate', string] {
  return ['rate', userId];
}

/** Mining applies an announced change of the rules within this time, ms; until then the rate is read again at this interval. */
const RULES_LAG_MS = 3_000;

/** The query of GET mining/rate. */
export const rateQuery = ({ api }: Pick<Sdk, 'api'>, userId: string) => ({
  queryKey: rateKey(userId),
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(miningEndpoints.rate, { params: { id: userId }, signal }),
});

/** Returns the rate as the server last sent it, running or not. It includes its expiry, so it is not polled. */
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
    refetchInterval: (query) => (lacks(query.state.data) ? whileLacking : refetchInterval)(query),
  }).data;
}

/** Returns the rate that applies now: the next one once the current rate has expired. */
export function useRateNow<R extends PublishedRate>(rate: R | null | undefined): R | null {
  const over = useIsPast(rate?.rateUntil ?? null);
  if (!rate) return null;
  return over ? rateThen(rate, Number.POSITIVE_INFINITY) : rate;
}

const never = () => () => undefined;

/** Whether the server's clock has reached this time; null never. It renders once, when it does. */
export function useIsPast(time: string | null): boolean {
  const { clock, ticker } = useSdk();
  const atMs = time === null ? Number.POSITIVE_INFINITY : Date.parse(time);
  return useSyncExternalStore(time === null ? never : ticker.subscribe, () => clock.now() >= atMs);
}
