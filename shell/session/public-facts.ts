import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import { STATS_REFETCH_MS, STATS_STALE_MS } from '@cord/contracts/rules/timings';
import { type Sdk, useFreshness, useQuery, useSdk } from '@cord/sdk';

/** The query of GET stats. */
export const statsQuery = ({ api }: Pick<Sdk, 'api'>) => ({
  queryKey: ['stats'],
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(leaderboardEndpoints.global, { signal }),
});

/** Returns public figures; stale after 30 s, refetched each minute. `dataUpdatedAt` is their time. */
export function useGlobalStats() {
  return useQuery({
    ...statsQuery(useSdk()),
    ...useFreshness({ everyMs: STATS_REFETCH_MS, staleMs: STATS_STALE_MS }),
  });
}
