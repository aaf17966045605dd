import * as supportEndpoints from '@cord/contracts/addresses/support';
import { ANTICHEAT_CACHE_MS, ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { LIVE_CALM_MS, useQuery, useSdk, useUserId } from '@cord/sdk';

/** Returns the user's network check: kept 5 min, read again every 30 min. */
export function useSecurity() {
  const { api } = useSdk();
  const userId = useUserId();
  return useQuery({
    queryKey: ['anticheat', userId],
    meta: { live: { rate: LIVE_CALM_MS } },
    queryFn: ({ signal }) => api.call(supportEndpoints.anticheat, { signal }),
    enabled: userId !== null,
    staleTime: ANTICHEAT_CACHE_MS,
    refetchInterval: ANTICHEAT_RECHECK_MS,
  });
}
