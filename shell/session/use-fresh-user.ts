import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import { LIVE_CALM_MS, LIVE_SOON_MS, useFreshness, useQuery, useRefreshUser, useUserId } from '@cord/sdk';

/** Keeps the user's record fresh, by the live stream or each minute. */
export function useFreshUser(): void {
  const refresh = useRefreshUser();
  const userId = useUserId();
  useQuery({
    queryKey: ['user', userId],
    meta: {
      live: {
        tasks: LIVE_CALM_MS,
        checkin: LIVE_CALM_MS,
        referrals: LIVE_CALM_MS,
        orders: LIVE_SOON_MS,
        stats: 2 * STATS_REFETCH_MS,
      },
    },
    queryFn: async () => {
      await refresh();
      return null;
    },
    enabled: userId !== null,
    ...useFreshness({ everyMs: STATS_REFETCH_MS }),
    // /auth/me has just returned the whole record.
    initialData: null,
  });
}
