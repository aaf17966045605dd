import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { LEADERBOARD_REFETCH_MS } from '@cord/contracts/rules/timings';
import { type LoadedQuery, useSdk, useUserId } from '@cord/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { onceEach } from '../app/once-each';
import type { LedgerEntry } from './entry-view';

const PAGE = 25;

export interface Ledger {
  /** `open`: CORD that was earned and is no entry yet. */
  query: LoadedQuery<{ entries: LedgerEntry[]; open: number }>;
  hasMore: boolean;
  moreFailed: boolean;
  fetchingMore: boolean;
  more(): void;
}

/** The entries from the newest back, page by page; read anew each time the ledger is opened. */
export function useLedger(): Ledger {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['ledger', userId, 'pages'],
    meta: { live: { balance: LEADERBOARD_REFETCH_MS } },
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
    select: ({ pages: [first, ...rest] }) => ({
      entries: onceEach([first, ...rest].flatMap((page) => page?.entries ?? [])),
      open: first?.open ?? 0,
    }),
  });
  return {
    query: pages,
    hasMore: pages.hasNextPage,
    moreFailed: pages.isFetchNextPageError,
    fetchingMore: pages.isFetchingNextPage,
    more: () => void pages.fetchNextPage(),
  };
}
