import type { QueryClient } from '@tanstack/react-query';
import type { Broadcast } from './broadcast';
import type { Session } from './session';

type QueryKey = readonly unknown[];

/** What one tab has learnt of the server's state, in the caches of all tabs of this browser. */
export interface SharedCache {
  /**
   * What stands under these keys is old. This tab, if it is seen, reads again what is on its screen; others wait a moment for what it reads, and
   * read by themselves what did not come. A tab that is not seen, and what is not on screen, waits until it is looked at.
   */
  outdate(queryKeys: readonly QueryKey[]): void;
  /** What stands under this key is this, as the server has just said. */
  put(queryKey: QueryKey, data: unknown): void;
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

/** The one place where query data is made old or replaced for all tabs. However many are seen, the server is asked once. */
export function createSharedCache({
  queries,
  session,
  broadcast,
  isSeen = () => globalThis.document?.visibilityState !== 'hidden',
  othersMs = OTHERS_MS,
  random = Math.random,
}: SharedCacheDeps): SharedCache {
  const userIdNow = () => session.state.get().user?.id;
  /** Queries whose next answer the other tabs wait for, by hash. */
  const awaited = new Set<string>();

  function markOld(queryKey: QueryKey, refetchType: 'active' | 'none'): void {
    for (const { queryHash } of queries.getQueryCache().findAll({ queryKey })) awaited.add(queryHash);
    // What is only marked is read by the query library when the tab comes into view.
    void queries.invalidateQueries({ queryKey, refetchType });
  }

  /** Another tab reads it, if it shows it; what has not come by then is asked for here. */
  function heardStale(queryKey: QueryKey): void {
    markOld(queryKey, 'none');
    setTimeout(
      () => {
        if (!isSeen()) return;
        void queries.refetchQueries({ queryKey, type: 'active', predicate: ({ state }) => state.isInvalidated });
      },
      othersMs * (1 + random()),
    );
  }

  function tell(queryKey: QueryKey, data: unknown): void {
    const userId = userIdNow();
    if (userId === undefined) return;
    try {
      broadcast.tell({ kind: 'known', userId, queryKey, data });
    } catch {
      // It holds what no message can: the others read it themselves.
    }
  }

  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { queryHash, queryKey, state } = event.query;
    if (!awaited.delete(queryHash) || event.action.manual || isPaged(state.data)) return;
    tell(queryKey, state.data);
  });

  broadcast.listen((message) => {
    if (message.userId !== userIdNow()) return;
    if (message.kind === 'stale') heardStale(message.queryKey);
    if (message.kind === 'known') queries.setQueryData(message.queryKey, message.data);
  });

  return {
    outdate(queryKeys) {
      const userId = userIdNow();
      for (const queryKey of queryKeys) {
        if (userId !== undefined) broadcast.tell({ kind: 'stale', userId, queryKey });
        markOld(queryKey, isSeen() ? 'active' : 'none');
      }
    },
    put(queryKey, data) {
      queries.setQueryData(queryKey, data);
      tell(queryKey, data);
    },
  };
}

/** How many pages are read is each tab's own. */
function isPaged(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'pageParams' in data;
}
