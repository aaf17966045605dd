import type { LiveKind } from '@cord/contracts/live/kinds';
import { QUERY_CACHE_MS, QUERY_RETRIES, QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { QueryClient, type UseQueryResult } from '@tanstack/react-query';
import { ApiError } from './problem';
import type { Session } from './session';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * Which events of the live stream make the query old, and how often it is read again for each at most, ms. `{}` for a state that events
       * carry whole: only what the stream may have missed makes it old.
       */
      live?: Readonly<Partial<Record<LiveKind, number>>>;
    };
  }
}

/** Pace of a query that somebody waits for, ms. */
export const LIVE_SOON_MS = 1_000;
/** Pace of a query that changes often, or that nobody waits for, ms. */
export const LIVE_CALM_MS = 10_000;

/**
 * Server state with the timings of the contracts: retry 2, stale 5 min, kept 10 min. Modules take the hooks from the sdk,
 * so that all of them share the shell's one cache.
 */
export function createQueryClient(retries: number = QUERY_RETRIES): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: QUERY_STALE_MS,
        gcTime: QUERY_CACHE_MS,
        // What was shown while the server was out of reach is old, however lately it was read; `live` requests it, not everybody at once.
        refetchOnReconnect: false,
        retry: (failures, error) => failures < retries && error instanceof ApiError && error.retryable,
        retryDelay: (attempt, error) =>
          (error instanceof ApiError ? error.retryAfterMs : null) ?? Math.min(500 * 2 ** attempt, 8_000),
      },
      // What the user requests fails at once when there is no network, instead of waiting unseen for it.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Empties the cache when its user leaves, however they left, so that nobody who comes next sees theirs. */
export function forgetWithUser(queries: QueryClient, session: Pick<Session, 'state'>): void {
  session.state.listen((now, before) => {
    if (before.user !== null && before.user.id !== now.user?.id) queries.clear();
  });
}

/**
 * Whether a read has nothing to show and is not under way: it failed, or it waits for the network. A read that waits is no error to
 * the cache, so that a screen which looks at `isError` alone would show its skeleton, or the answer to
 * another question, for as long as the server is out of reach.
 */
export function isUnread(query: ReadState): boolean {
  return query.isError || (query.isPaused && (query.isPending || query.isPlaceholderData));
}

type ReadState = Pick<UseQueryResult, 'isError' | 'isPending' | 'isPaused' | 'isPlaceholderData'>;

export { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
