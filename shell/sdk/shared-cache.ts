import type { LiveKind } from '@cord/contracts/live/kinds';
import type { Query, QueryClient } from '@tanstack/react-query';
import type { Broadcast } from './broadcast';
import type { Session } from './session';

type QueryKey = readonly unknown[];
/** Queries by the beginning of their key, or the one of exactly this key. */
type Which = { queryKey: QueryKey; exact?: boolean };

/** What one tab has learnt of the server's state, in the caches of all tabs of this browser. */
export interface SharedCache {
  /**
   * What stands under these keys is old. This tab, if it is seen, reads again what is on its screen; others wait a moment for what it reads, and
   * read by themselves what did not come. A tab that is not seen, and what is not on screen, waits until it is looked at.
   */
  invalidate(queryKeys: readonly QueryKey[]): void;
  /**
   * The live stream has reported such a change: the queries that name it in `meta.live` become old in all tabs, each at its pace.
   * @param kind `all`: changes of any kind may have been missed
   */
  onEvent(kind: LiveKind | 'all'): void;
  /** What stands under this key is this, as the server has just sent. */
  setData(queryKey: QueryKey, data: unknown): void;
}

interface SharedCacheDeps {
  queries: QueryClient;
  session: Pick<Session, 'state'>;
  broadcast: Broadcast;
  isSeen?: () => boolean;
  /** So long, and up to twice as long by chance, a tab waits for what another one reads, ms. */
  othersMs?: number;
  random?: () => number;
}

const OTHERS_MS = 1_500;

/** The one place where query data is made old or replaced for all tabs. However many are seen, the server is called once. */
export function createSharedCache({
  queries,
  session,
  broadcast,
  isSeen = () => globalThis.document?.visibilityState !== 'hidden',
  othersMs = OTHERS_MS,
  random = Math.random,
}: SharedCacheDeps): SharedCache {
  const userIdNow = () => session.state.get().user?.id;
  const pace = createPace();
  /** Queries whose next answer the other tabs wait for, by hash. */
  const awaited = new Set<string>();
  /** Reads that were under way as their query became old, and how it is marked anew when such an answer has erased the mark. */
  const begunBefore = new WeakMap<Promise<unknown>, (which: Which) => void>();

  function markOld(which: Which, refetchType: 'active' | 'none', again: (which: Which) => void): void {
    for (const { queryHash, promise, state } of queries.getQueryCache().findAll(which)) {
      awaited.add(queryHash);
      if (promise !== undefined && state.fetchStatus === 'fetching') begunBefore.set(promise, again);
    }
    // What is only marked is read by the query library when the tab comes into view.
    void queries.invalidateQueries({ ...which, refetchType });
  }

  function markOldHere(which: Which): void {
    markOld(which, isSeen() ? 'active' : 'none', markOldHere);
  }

  /** Another tab reads it, if it shows it; what has not come by then is requested here. */
  function markOldElsewhere(which: Which): void {
    markOld(which, 'none', markOldElsewhere);
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

  /** The newest state there is: an answer that is still under way is older. */
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
      // It holds what no message can: the others read it themselves.
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
    if (message.kind === 'stale') markOldElsewhere({ queryKey: message.queryKey });
    if (message.kind === 'event') takeEvent(message.of, markOldElsewhere);
    // A query that this tab does not have would lack what its owner has of it.
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
        markOldHere({ queryKey });
      }
    },
    onEvent(kind) {
      const userId = userIdNow();
      if (userId !== undefined) broadcast.send({ kind: 'event', userId, of: kind });
      takeEvent(kind, markOldHere);
    },
    setData(queryKey, data) {
      put(queryKey, data);
      send(queryKey, data);
    },
  };
}

/** How often a query is read again for such an event at most, ms; undefined where it is not about it. */
function paceOf(query: Query, kind: LiveKind | 'all'): number | undefined {
  const live = query.meta?.live;
  if (kind !== 'all') return live?.[kind];
  // What an event has brought and nobody has shown yet is known by no `meta`.
  return live !== undefined || (query.meta === undefined && query.getObserversCount() === 0) ? 0 : undefined;
}

/** How many pages are read is each tab's own. */
function isPaged(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'pageParams' in data;
}

/** Runs what was not run for a while at once, and the rest when its time has come, once. */
function createPace(now: () => number = Date.now) {
  const ranAtMs = new Map<string, number>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();

  function start(id: string, run: () => void): void {
    waiting.delete(id);
    ranAtMs.set(id, now());
    run();
  }

  return {
    /** @param everyMs so often at most; 0 runs it at once */
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
