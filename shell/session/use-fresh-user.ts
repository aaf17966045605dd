import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { useQuery, useRefreshUser, useUserId } from '@cord/sdk';

/** Keeps the user's record from ageing: again each minute and whenever the page is looked at. */
export function useFreshUser(): void {
  const refresh = useRefreshUser();
  const userId = useUserId();
  useQuery({
    queryKey: ['user', userId],
    queryFn: async () => {
      await refresh();
      return null;
    },
    enabled: userId !== null,
    refetchInterval: STATS_REFETCH_MS,
    refetchOnWindowFocus: 'always',
    // /auth/me has just given the whole record.
    initialData: null,
    staleTime: STATS_REFETCH_MS,
  });
}
