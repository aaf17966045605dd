import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as userEndpoints from '@cord/contracts/addresses/users';
import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import {
  LEADERBOARD_MAX,
  LEADERBOARD_REFETCH_MS,
  LEADERBOARD_SEARCH_MIN,
  STATS_REFETCH_MS,
  STATS_STALE_MS,
} from '@cord/contracts/rules/timings';
import {
  ApiError,
  isUnread,
  keepPreviousData,
  useFreshness,
  useQuery,
  useSdk,
  useTabParam,
  useUserId,
} from '@cord/sdk';
import { useEffect, useState } from 'react';

const key = 'leaderboard';
/** Figures change every half minute on a busy day. */
const LIVE = { live: { stats: LEADERBOARD_REFETCH_MS } };

export interface Ranking {
  /** The top entries, or the hits of a search with their true ranks; undefined while loading. */
  entries: readonly LeaderboardEntry[] | undefined;
  failed: boolean;
  fetching: boolean;
  /** The shown data belongs to the previous period or search. */
  changing: boolean;
  reload(): void;
}

/** Returns one period's ranking, up to 100 miners, refreshed every 30 s. */
export function useRanking(period: Period, search: string): Ranking {
  const { api } = useSdk();
  const term = search.length >= LEADERBOARD_SEARCH_MIN ? search : undefined;
  const query = useQuery({
    queryKey: [key, 'list', period, term ?? ''],
    meta: LIVE,
    queryFn: ({ signal }) =>
      api.call(leaderboardEndpoints.list, {
        query: { limit: String(LEADERBOARD_MAX), period, ...(term === undefined ? {} : { search: term }) },
        signal,
      }),
    ...useFreshness({ everyMs: LEADERBOARD_REFETCH_MS }),
    placeholderData: keepPreviousData,
  });
  const waits = isUnread(query) && !query.isError;
  return {
    // While a read waits for the network, the kept data belongs to another period or search.
    entries: waits ? undefined : query.data,
    failed: isUnread(query),
    fetching: query.isFetching,
    changing: query.isPlaceholderData,
    reload: () => void query.refetch(),
  };
}

export interface OwnRank {
  /** Null while unranked, undefined while unknown. */
  entry: LeaderboardEntry | null | undefined;
  /** The miner right ahead; null when there is none or it is unknown. */
  ahead: LeaderboardEntry | null;
}

export function useOwnRank(period: Period): OwnRank {
  const { api } = useSdk();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: [key, 'me', userId, period],
    meta: LIVE,
    queryFn: ({ signal }) => api.call(leaderboardEndpoints.me, { query: { period }, signal }),
    enabled: userId !== null,
    ...useFreshness({ everyMs: LEADERBOARD_REFETCH_MS }),
  });
  const entry = data?.entry;
  const ahead = entry ? (data?.neighbours.find(({ rank }) => rank === entry.rank - 1) ?? null) : null;
  return { entry, ahead };
}

/** Returns the site's figures as on the landing page: stale after 30 s, read again every 60 s. */
export function useLeaderboardStats() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [key, 'stats'],
    meta: LIVE,
    queryFn: ({ signal }) => api.call(leaderboardEndpoints.global, { signal }),
    ...useFreshness({ everyMs: STATS_REFETCH_MS, staleMs: STATS_STALE_MS }),
  });
}

/** Returns a miner's public data; null when the account does not exist. */
export function useMiner(userId: string) {
  const { api } = useSdk();
  return useQuery({
    queryKey: [key, 'miner', userId],
    meta: LIVE,
    queryFn: async ({ signal }) => {
      try {
        const params = { id: userId };
        const [person, places] = await Promise.all([
          api.call(userEndpoints.get, { params, signal }),
          api.call(leaderboardEndpoints.miner, { params, signal }),
        ]);
        return { person, places };
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
        throw error;
      }
    },
    ...useFreshness({ everyMs: LEADERBOARD_REFETCH_MS }),
  });
}

const TYPING_PAUSE_MS = 300;

interface Search {
  /** Text in the field. */
  typed: string;
  /** The trimmed term in the address, debounced so that not every key sends a call. */
  term: string;
  type(text: string): void;
  /** Applies at once, without the pause. */
  clear(): void;
}

/** Returns the search: written to the address when typing pauses, and read from it after a link or Back. */
export function useSearch(): Search {
  const [param, setParam] = useTabParam('search');
  const term = param ?? '';
  const [draft, setDraft] = useState({ text: term, settled: true });
  useEffect(() => {
    if (draft.settled) return;
    const timer = setTimeout(() => {
      setParam(draft.text.trim() || null);
      setDraft({ ...draft, settled: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft, setParam]);
  return {
    // Typed spaces stay; a different term comes from the address.
    typed: !draft.settled || draft.text.trim() === term ? draft.text : term,
    term,
    type: (text) => setDraft({ text, settled: false }),
    clear() {
      setDraft({ text: '', settled: true });
      setParam(null);
    },
  };
}
