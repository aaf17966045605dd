import type { QueryClient } from '@tanstack/react-query';
import type { Broadcast } from './broadcast';
import type { Session } from './session';

type QueryKey = readonly unknown[];

/** What one tab has learnt of the server's state, in the caches of all tabs of this browser. */
export interface SharedCache {
  /**
   * What stands under these keys is old. A tab that is seen reads again what is on its screen; others, and what is not on
   * screen, when they are looked at.
   */
  outdate(queryKeys: readonly QueryKey[]): void;
  /** What stands under this key is this, as the server has just said. */
  put(queryKey: QueryKey, data: unknown): void;
}

interface SharedCacheDeps {
  queries: Pick<QueryClient, 'invalidateQueries' | 'setQueryData'>;
  session: Pick<Session, 'state'>;
  broadcast: Broadcast;
  isSeen?: () => boolean;
}

/** The one place where query data is made old or replaced for all tabs. */
export function createSharedCache({
  queries,
  session,
  broadcast,
  isSeen = () => globalThis.document?.visibilityState !== 'hidden',
}: SharedCacheDeps): SharedCache {
  const userIdNow = () => session.state.get().user?.id;

  function outdateHere(queryKey: QueryKey): void {
    // What is marked is read by the query library when the tab comes into view.
    void queries.invalidateQueries({ queryKey, refetchType: isSeen() ? 'active' : 'none' });
  }

  broadcast.listen((message) => {
    if (message.userId !== userIdNow()) return;
    if (message.kind === 'stale') outdateHere(message.queryKey);
    if (message.kind === 'known') queries.setQueryData(message.queryKey, message.data);
  });

  return {
    outdate(queryKeys) {
      const userId = userIdNow();
      for (const queryKey of queryKeys) {
        outdateHere(queryKey);
        if (userId !== undefined) broadcast.tell({ kind: 'stale', userId, queryKey });
      }
    },
    put(queryKey, data) {
      const userId = userIdNow();
      queries.setQueryData(queryKey, data);
      if (userId !== undefined) broadcast.tell({ kind: 'known', userId, queryKey, data });
    },
  };
}
