import { miningEndpoints } from '@cord/contracts/http/mining';
import { RATE_REFETCH_MS } from '@cord/contracts/rules/timings';
import { EPOCH_KEY, nodeKey, useQuery, useQueryClient, useRefreshUser, useSdk, useUserId } from '@cord/sdk';
import { useEffect, useRef } from 'react';

/**
 * Notices that an epoch, the badge or the network check has changed the rate, and has everything read again that shows
 * it: within two seconds on a page that is looked at, whether the node runs or not.
 */
export function useRateWatch(): void {
  const { api } = useSdk();
  const queries = useQueryClient();
  const refreshUser = useRefreshUser();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: ['rate', userId],
    queryFn: ({ signal }) => api.call(miningEndpoints.rate, { params: { id: userId ?? '' }, signal }),
    enabled: userId !== null,
    // A hidden page does not ask: the query library stops the interval by itself.
    refetchInterval: RATE_REFETCH_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });

  const seen = useRef<string | null>(null);
  const factors = data === undefined ? null : JSON.stringify(data.factors);
  useEffect(() => {
    const before = seen.current;
    if (factors === null) return;
    seen.current = factors;
    if (before === null || before === factors || userId === null) return;
    for (const queryKey of [nodeKey(userId), EPOCH_KEY, ['anticheat', userId]])
      void queries.invalidateQueries({ queryKey });
    void refreshUser();
  }, [factors, queries, refreshUser, userId]);
}
