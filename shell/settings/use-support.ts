import * as supportEndpoints from '@cord/contracts/addresses/support';
import { LIVE_CALM_MS, LIVE_SOON_MS, useQuery, useSdk, useUserId } from '@cord/sdk';

/** Key of the own requests in the query cache. */
export function supportKey(userId: string | null) {
  return ['support', 'mine', userId] as const;
}

/** The own requests with their answers; read again whenever Settings opens or is looked at. */
export function useSupport() {
  const { api } = useSdk();
  const userId = useUserId();
  return useQuery({
    queryKey: supportKey(userId),
    meta: { live: { user: LIVE_CALM_MS, notices: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(supportEndpoints.mine, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}
