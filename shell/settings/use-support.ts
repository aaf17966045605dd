import * as supportEndpoints from '@cord/contracts/addresses/support';
import { LIVE_CALM_MS, LIVE_SOON_MS, useQuery, useSdk, useUserId } from '@cord/sdk';

/** Query key of the user's support requests. */
export function supportKey(userId: string | null) {
  return ['support', 'mine', userId] as const;
}

/** Returns the user's requests with their answers; read again whenever Settings opens or gets focus. */
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
