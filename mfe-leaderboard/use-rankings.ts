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
/** A busy day brings new figures by the half minute. */
const LIVE = { live: { stats: LEADERBOARD_REFETCH_MS } };

export interface Ranking {
  /** From the top, or the hits of a search with their true ranks; undefined while loading. */
  entries: readonly LeaderboardEntry[] | undefined;
  failed: boolean;
  fetching: boolean;
  /** What is shown belongs to another period or search than the one requested. */
  changing: boolean;
  reload(): void;
}

/** One period's ranking, up to 100 miners, refreshed every 30 s. */
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
    // While a read waits for the network, what is kept belongs to another period or search.
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
  /** Who stands right ahead; null when nobody does or it is not known. */
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

/** The figures of the whole site, as the landing page shows them: stale after 30 s, read again every 60 s. */
export function useLeaderboardStats() {
  const { api } = useSdk();
  return useQuery({
    queryKey: [key, 'stats'],
    meta: LIVE,
    queryFn: ({ signal }) => api.call(leaderboardEndpoints.global, { signal }),
    ...useFreshness({ everyMs: STATS_REFETCH_MS, staleMs: STATS_STALE_MS }),
  });
}

/** What everybody sees of a miner; null for one who is not there (any more). */
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
  /** As it stands in the field. */
  typed: string;
  /** What is searched for: as in the address, trimmed; a search for each key would be a call for each key. */
  term: string;
  type(text: string): void;
  /** At once, without the pause. */
  clear(): void;
}

/** What is searched for: in the address once the typing pauses, and in the field when a link or Back brings it. */
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
    // Spaces that were typed stay; another term than the typed one comes from the address.
    typed: !draft.settled || draft.text.trim() === term ? draft.text : term,
    term,
    type: (text) => setDraft({ text, settled: false }),
    clear() {
      setDraft({ text: '', settled: true });
      setParam(null);
    },
  };
}
