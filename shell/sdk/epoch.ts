import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { Epoch } from '@cord/contracts/http/epochs';
import { QUERY_STALE_MS, STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useFreshness } from './live/freshness';
import { type Sdk, useSdk } from './sdk';

/** Query key of the epoch in force. */
export const EPOCH_KEY = ['epochs', 'current'] as const;

/** The query of GET epochs/current. */
export const epochQuery = ({ api }: Pick<Sdk, 'api'>) => ({
  queryKey: EPOCH_KEY,
  meta: { live: {} },
  queryFn: ({ signal }: { signal: AbortSignal }) => api.call(rewardEndpoints.currentEpoch, { signal }),
});

/** Returns the epoch in force, or null. */
export function useCurrentEpoch(): UseQueryResult<Epoch | null> {
  return useQuery({
    ...epochQuery(useSdk()),
    ...useFreshness({ everyMs: STATS_REFETCH_MS, staleMs: QUERY_STALE_MS }),
  });
}
