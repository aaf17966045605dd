import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { STATS_REFETCH_MS, STATS_STALE_MS } from '@cord/contracts/rules/timings';
import { useFreshness, useQuery, useSdk } from '@cord/sdk';

/** Real public figures; stale after 30 s, refetched each minute. `dataUpdatedAt` shows when they were true. */
export function useGlobalStats() {
  const { api } = useSdk();
  return useQuery({
    queryKey: ['stats'],
    meta: { live: {} },
    queryFn: ({ signal }) => api.call(leaderboardEndpoints.global, { signal }),
    ...useFreshness({ everyMs: STATS_REFETCH_MS, staleMs: STATS_STALE_MS }),
  });
}
