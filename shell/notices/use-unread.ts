import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import { LIVE_SOON_MS, useFreshness, useQuery, useSdk, useUserId } from '@cord/sdk';

/** Polling interval of the unread count without the live stream, ms. */
export const NOTICES_EVERY_MS = 60_000;

/** Key prefix of all queries on a user's notices, which are invalidated together. */
export const noticesKey = (userId: string) => ['notices', userId];
export const unreadKey = (userId: string) => [...noticesKey(userId), 'unread'];

/** Returns the number of unread notices; undefined until loaded. @param isQuiet whether it may be requested yet */
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
