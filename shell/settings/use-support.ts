import { supportEndpoints } from '@cord/contracts/http/support';
import { useQuery, useSdk } from '@cord/sdk';

export const SUPPORT_KEY = ['support', 'mine'] as const;

/** The own requests with their answers; asked again whenever Settings opens or is looked at. */
export function useSupport() {
  const { api } = useSdk();
  return useQuery({
    queryKey: SUPPORT_KEY,
    queryFn: ({ signal }) => api.call(supportEndpoints.mine, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
  });
}
