import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { LIVE_SOON_MS, useFreshness, useQuery, useSdk, useUserId } from '@cord/sdk';

/** How often what is unread is requested while the live stream is away, ms. */
export const NOTICES_EVERY_MS = 60_000;

/** Under it stands all that is known of a user's notices: the live stream outdates it as one. */
export const noticesKey = (userId: string) => ['notices', userId];
export const unreadKey = (userId: string) => [...noticesKey(userId), 'unread'];

/** How many notices are unread; undefined while nothing has come. @param isQuiet whether it may be requested yet */
export function useUnread(isQuiet: boolean): number | undefined {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const { data } = useQuery({
    queryKey: unreadKey(userId),
    meta: { live: { notices: LIVE_SOON_MS } },
    queryFn: async ({ signal }) => {
      const query = { limit: '1' };
      const { unread } = await api.call(noticesEndpoints.list, { params: { id: userId }, query, signal });
      return unread;
    },
    enabled: isQuiet && userId !== '',
    ...useFreshness({ everyMs: NOTICES_EVERY_MS }),
  });
  return data;
}
