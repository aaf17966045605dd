import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { HoursOfDay } from '@cord/contracts/http/hours';
import { dayKey } from '@cord/contracts/rules/days';
import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { LIVE_CALM_MS, type LoadedQuery, useFreshness, useQuery, useSdk, useUserId } from '@cord/sdk';

/** Returns the hours of a UTC day, `2026-11-26`; null reads nothing. The present day is read again as it continues. */
export function useHours(day: string | null): LoadedQuery<HoursOfDay> {
  const { api, clock } = useSdk();
  const userId = useUserId();
  const present = day === dayKey(clock.now());
  return useQuery({
    // `present` is in the key: a finished day differs from the same day in progress.
    queryKey: ['hours', userId, day, present],
    meta: present ? { live: { node: LIVE_CALM_MS } } : {},
    queryFn: ({ signal }) =>
      api.call(miningEndpoints.hours, { params: { id: userId ?? '' }, query: { day: day ?? '' }, signal }),
    enabled: userId !== null && day !== null,
    ...useFreshness(present ? { everyMs: STATS_REFETCH_MS, always: true } : {}),
  });
}
