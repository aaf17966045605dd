import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import type { ResponseOf } from '@cord/contracts/calls';
import { LIVE_SOON_MS, type LoadedQuery, useFreshness, useQueryClient, useSdk, useStore, useUserId } from '@cord/sdk';
import { textLanguage } from '@cord/sdk/host';
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { uniqueById } from '../app/unique-by-id';
import { NOTICES_EVERY_MS, noticesKey, unreadKey } from './use-unread';

const PAGE = 20;

type Page = ResponseOf<typeof noticesEndpoints.list>;
export type Notice = Page['notices'][number];

export interface InboxState {
  /** `notices`: newest first. */
  query: LoadedQuery<{ notices: Notice[]; unread: number }>;
  hasMore: boolean;
  fetchingMore: boolean;
  more(): void;
  /** Marks all shown and older notices as read; it sends nothing when all are read. */
  markRead(): void;
}

/** Returns the user's notices with the unread count; the live stream reports changes. */
export function useInbox(): InboxState {
  const { api, clock, report } = useSdk();
  const userId = useUserId() ?? '';
  const queries = useQueryClient();
  // The server writes the texts, so the language is part of the key.
  const queryKey = [...noticesKey(userId), 'list', useStore(textLanguage)];
  const pages = useInfiniteQuery({
    queryKey,
    meta: { live: { notices: LIVE_SOON_MS } },
    queryFn: async ({ pageParam, signal }) => {
      const page = await api.call(noticesEndpoints.list, {
        params: { id: userId },
        query: { limit: String(PAGE), zone: ownZone(), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      });
      signal.throwIfAborted();
      queries.setQueryData(unreadKey(userId), page.unread);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: userId !== '',
    ...useFreshness({ everyMs: NOTICES_EVERY_MS }),
    select: ({ pages: all }) => ({
      notices: uniqueById(all.flatMap((page) => page.notices)),
      unread: all[0]?.unread ?? 0,
    }),
  });
  return {
    query: pages,
    hasMore: pages.hasNextPage,
    fetchingMore: pages.isFetchingNextPage,
    more: () => void pages.fetchNextPage(),
    markRead() {
      const newest = pages.data?.notices[0];
      if (newest === undefined || pages.data?.unread === 0) return;
      const readAt = new Date(clock.now()).toISOString();
      // A response in progress is older than this change.
      void queries.cancelQueries({ queryKey: noticesKey(userId) });
      queries.setQueryData<InfiniteData<Page, string | null>>(queryKey, (shown) => shown && asRead(shown, readAt));
      queries.setQueryData(unreadKey(userId), 0);
      const reading = api.call(noticesEndpoints.read, { params: { id: userId }, body: { upTo: newest.at } });
      reading.catch((error: unknown) => {
        // The notices stay unread on the server, and the next closing marks them.
        report(error, { part: 'notices' });
        void queries.invalidateQueries({ queryKey: noticesKey(userId) });
      });
    },
  };
}

/** Returns the time zone of this device, in which the server formats times. */
function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

function asRead({ pages, pageParams }: InfiniteData<Page, string | null>, readAt: string) {
  const read = (notice: Notice) => ({ ...notice, readAt: notice.readAt ?? readAt });
  return { pageParams, pages: pages.map((page) => ({ ...page, unread: 0, notices: page.notices.map(read) })) };
}
