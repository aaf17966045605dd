import type { LiveKind } from '@cord/contracts/live/kinds';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { Broadcast } from './broadcast';
import type { Session } from './session';

type QueryKey = readonly unknown[];
/** Selects queries by the beginning of their key, or by the exact key. */
type Which = { queryKey: QueryKey; exact?: boolean };

/** Server state known to one tab, shared with the caches of all tabs of this browser. */
export interface SharedCache {
  /**
   * Marks the queries under these keys as stale. A visible tab refetches those on its screen; other tabs wait briefly
   * for its results and then read the rest. Hidden tabs and queries off screen are read when they become visible.
   */
  invalidate(queryKeys: readonly QueryKey[]): void;
  /**
   * Marks the queries with this kind in `meta.live` as stale in all tabs, each at its pace.
   * @param kind `all`: changes of any kind may have been missed
   */
  onEvent(kind: LiveKind | 'all'): void;
  /** Stores new server state under this key. */
  setData(queryKey: QueryKey, data: unknown): void;
}

interface SharedCacheDeps {
  queries: QueryClient;
  session: Pick<Session, 'state'>;
  broadcast: Broadcast;
  isSeen?: () => boolean;
  /** Wait for the reads of another tab, ms; up to twice as long at random. */
  othersMs?: number;
  random?: () => number;
}

const OTHER_TABS_MS = 1_500;

/** The only place that invalidates or replaces query data for all tabs. However many tabs are visible, the server is called once. */
export function createSharedCache({
  queries,
  session,
  broadcast,
  isSeen = () => globalThis.document?.visibilityState !== 'hidden',
  othersMs = OTHER_TABS_MS,
  random = Math.random,
}: SharedCacheDeps): SharedCache {
  const userIdNow = () => session.state.get().user?.id;
  const pace = createPace();
  /** Hashes of the queries whose next response the other tabs wait for. */
  const awaited = new Set<string>();
  /** Reads in progress when their query became stale, with the function that marks it again after their response has cleared the mark. */
  const begunBefore = new WeakMap<Promise<unknown>, (which: Which) => void>();

  function markStale(which: Which, refetchType: 'active' | 'none', again: (which: Which) => void): void {
    for (const { queryHash, promise, state } of queries.getQueryCache().findAll(which)) {
      awaited.add(queryHash);
      if (promise !== undefined && state.fetchStatus === 'fetching') begunBefore.set(promise, again);
    }
    // The query library reads marked queries when the tab becomes visible.
    void queries.invalidateQueries({ ...which, refetchType });
  }

  function markStaleHere(which: Which): void {
    markStale(which, isSeen() ? 'active' : 'none', markStaleHere);
  }

  /** Another tab reads it if it shows it; the rest is read here after the wait. */
  function markStaleElsewhere(which: Which): void {
    markStale(which, 'none', markStaleElsewhere);
    setTimeout(
      () => {
        if (!isSeen()) return;
        void queries.refetchQueries({ ...which, type: 'active', predicate: ({ state }) => state.isInvalidated });
      },
      othersMs * (1 + random()),
    );
  }

  function takeEvent(kind: LiveKind | 'all', mark: (which: Which) => void): void {
    for (const query of queries.getQueryCache().getAll()) {
      const everyMs = paceOf(query, kind);
      const take = () => mark({ queryKey: query.queryKey, exact: true });
      if (everyMs !== undefined) pace.take(query.queryHash, everyMs, take);
    }
  }

  /** Stores the newest state; a response still in progress is older, so it is cancelled. */
  function put(queryKey: QueryKey, data: unknown): void {
    void queries.cancelQueries({ queryKey, exact: true });
    queries.setQueryData(queryKey, data);
  }

  function send(queryKey: QueryKey, data: unknown): void {
    const userId = userIdNow();
    if (userId === undefined) return;
    try {
      broadcast.send({ kind: 'known', userId, queryKey, data });
    } catch {
      // The data cannot be cloned into a message, so the other tabs read it themselves.
    }
  }

  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { queryHash, queryKey, state, promise } = event.query;
    const again = event.action.manual || promise === undefined ? undefined : begunBefore.get(promise);
    if (again !== undefined) return again({ queryKey, exact: true });
    if (!awaited.delete(queryHash) || event.action.manual || isPaged(state.data)) return;
    send(queryKey, state.data);
  });

  broadcast.listen((message) => {
    if (message.userId !== userIdNow()) return;
    if (message.kind === 'stale') markStaleElsewhere({ queryKey: message.queryKey });
    if (message.kind === 'event') takeEvent(message.of, markStaleElsewhere);
    // A tab without this query would lack its options.
    if (message.kind === 'known' && queries.getQueryState(message.queryKey) !== undefined)
      put(message.queryKey, message.data);
  });
  session.state.listen(() => {
    if (userIdNow() === undefined) pace.forget();
  });

  return {
    invalidate(queryKeys) {
      const userId = userIdNow();
      for (const queryKey of queryKeys) {
        if (userId !== undefined) broadcast.send({ kind: 'stale', userId, queryKey });
        markStaleHere({ queryKey });
      }
    },
    onEvent(kind) {
      const userId = userIdNow();
      if (userId !== undefined) broadcast.send({ kind: 'event', userId, of: kind });
      takeEvent(kind, markStaleHere);
    },
    setData(queryKey, data) {
      put(queryKey, data);
      send(queryKey, data);
    },
  };
}

/** Returns the minimum interval between reads for an event, ms; undefined when the query does not depend on it. */
function paceOf(query: Query, kind: LiveKind | 'all'): number | undefined {
  const live = query.meta?.live;
  if (kind !== 'all') return live?.[kind];
  // Event data that no component has shown yet has no `meta`.
  return live !== undefined || (query.meta === undefined && query.getObserversCount() === 0) ? 0 : undefined;
}

/** The number of loaded pages differs between tabs. */
function isPaged(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'pageParams' in data;
}

/** Runs a task at once if it has not run lately, else once at the end of its interval. */
function createPace(now: () => number = Date.now) {
  const ranAtMs = new Map<string, number>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();

  function start(id: string, run: () => void): void {
    waiting.delete(id);
    ranAtMs.set(id, now());
    run();
  }

  return {
    /** @param everyMs minimum interval between runs; 0 runs it at once */
    take(id: string, everyMs: number, run: () => void): void {
      if (waiting.has(id) && everyMs > 0) return;
      clearTimeout(waiting.get(id));
      const leftMs = (ranAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs - now();
      if (leftMs <= 0) start(id, run);
      else waiting.set(id, setTimeout(start, leftMs, id, run));
    },
    forget(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      ranAtMs.clear();
    },
  };
}
