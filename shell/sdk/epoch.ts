import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { useQuery } from '@tanstack/react-query';
import { useSdk } from './sdk';

/** Key of the epoch in force in the query cache. */
export const EPOCH_KEY = ['epochs', 'current'] as const;

/** The epoch in force, or null. */
export function useCurrentEpoch() {
  const { api } = useSdk();
  return useQuery({
    queryKey: EPOCH_KEY,
    queryFn: ({ signal }) => api.call(rewardEndpoints.currentEpoch, { signal }),
    refetchInterval: STATS_REFETCH_MS,
  });
}
