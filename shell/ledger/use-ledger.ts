import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { isUnread, useSdk, useUserId } from '@cord/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { LedgerEntry } from './entry-view';

const PAGE = 25;

export interface Ledger {
  /** Undefined while loading. */
  entries: LedgerEntry[] | undefined;
  /** CORD that was earned and is no entry yet. */
  open: number;
  failed: boolean;
  fetching: boolean;
  hasMore: boolean;
  moreFailed: boolean;
  fetchingMore: boolean;
  reload(): void;
  more(): void;
}

/** The entries from the newest back, page by page; read anew each time the ledger is opened. */
export function useLedger(): Ledger {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['ledger', userId, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      api.call(miningEndpoints.ledger, {
        params: { id: userId },
        query: { limit: String(PAGE), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = pages;
  return {
    entries: data && onceEach(data.pages.flatMap(({ entries }) => entries)),
    open: data?.pages[0]?.open ?? 0,
    failed: data === undefined && isUnread(pages),
    fetching: pages.isFetching,
    hasMore: pages.hasNextPage,
    moreFailed: pages.isFetchNextPageError,
    fetchingMore: pages.isFetchingNextPage,
    reload: () => void pages.refetch(),
    more: () => void pages.fetchNextPage(),
  };
}

/** Two pages of which one was read later may overlap. */
function onceEach(entries: LedgerEntry[]): LedgerEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
