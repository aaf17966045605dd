import type { LiveKind } from '@cord/contracts/live/kinds';
import { QUERY_CACHE_MS, QUERY_RETRIES, QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './problem';
import type { Session } from './session';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * Live events that make the query stale, each with the minimum interval between reads, ms. `{}` for a state
       * that events carry whole: only missed events make it stale.
       */
      live?: Readonly<Partial<Record<LiveKind, number>>>;
    };
  }
}

/** Pace of a query that a user waits for, ms. */
export const LIVE_SOON_MS = 1_000;
/** Pace of a query that changes often, or that no user waits for, ms. */
export const LIVE_CALM_MS = 10_000;

/**
 * Creates the query client with the timings of the contracts: retry 2, stale 5 min, kept 10 min. Modules use the
 * hooks of the sdk, so that they share the shell's cache.
 */
export function createQueryClient(retries: number = QUERY_RETRIES): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: QUERY_STALE_MS,
        gcTime: QUERY_CACHE_MS,
        // `live` refetches after an outage, spread over time; this option would refetch on all clients at once.
        refetchOnReconnect: false,
        retry: (failures, error) => failures < retries && error instanceof ApiError && error.retryable,
        retryDelay: (attempt, error) =>
          (error instanceof ApiError ? error.retryAfterMs : null) ?? Math.min(500 * 2 ** attempt, 8_000),
      },
      // A mutation fails at once without a network, instead of waiting unseen.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Empties the cache whenever its user leaves, so that the next user sees none of it. */
export function forgetWithUser(queries: QueryClient, session: Pick<Session, 'state'>): void {
  session.state.listen((now, before) => {
    if (before.user !== null && before.user.id !== now.user?.id) queries.clear();
  });
}

/**
 * Whether a query has nothing to show and is not fetching: it failed, or it waits for the network. A paused query is
 * not an error, so a screen that checks `isError` alone would show its skeleton, or placeholder data, while the
 * server is unreachable.
 */
export function isUnread(query: ReadState): boolean {
  return query.isError || (query.isPaused && (query.isPending || query.isPlaceholderData));
}

type ReadState = Pick<UseQueryResult, 'isError' | 'isPending' | 'isPaused' | 'isPlaceholderData'>;

export { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
