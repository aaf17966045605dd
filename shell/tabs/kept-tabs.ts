import { createStore, type Sdk, type Store } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';

/** Maximum number of kept pages besides the current one (shell/README.md#kept-pages). */
export const KEPT_MAX = 3;

export interface KeptTabs {
  /** Tabs with kept pages, latest first, without the current one. */
  tabs: Store<readonly TabId[]>;
  /** Restores the window's scroll position of a tab; the top for a new one. */
  restoreScroll(tab: TabId): void;
}

/** Keeps the pages of the last tabs until the session ends. */
export function createKeptTabs(current: Store<TabId>, session: Store<SessionState>): KeptTabs {
  const tabs = createStore<readonly TabId[]>([]);
  const scrolled = new Map<TabId, number>();
  let shown = current.get();
  /** Scroll position of the window. Reading it on a tab change would force another layout. */
  let y = window.scrollY;
  window.addEventListener('scroll', () => (y = window.scrollY), { passive: true });

  current.listen(() => {
    const left = shown;
    shown = current.get();
    if (session.get().status !== 'signed-in') return;
    scrolled.set(left, y);
    tabs.set([left, ...tabs.get().filter((tab) => tab !== left && tab !== shown)].slice(0, KEPT_MAX));
  });
  session.listen(() => {
    if (session.get().status !== 'signed-in') tabs.set([]);
  });
  tabs.listen(() => {
    for (const tab of scrolled.keys()) if (tab !== shown && !tabs.get().includes(tab)) scrolled.delete(tab);
  });

  return {
    tabs,
    restoreScroll(tab) {
      const wanted = scrolled.get(tab) ?? 0;
      // At the top, as on each first visit; reading the window's position would force a layout.
      if (wanted === 0 && y === 0) return;
      if (window.scrollY !== wanted) window.scrollTo(0, wanted);
      y = wanted;
    },
  };
}

const made = new WeakMap<Sdk, KeptTabs>();

/** Returns the kept tabs of the page. */
export function keptTabsOf(sdk: Sdk): KeptTabs {
  const known = made.get(sdk) ?? createKeptTabs(sdk.tabs.current, sdk.session.state);
  made.set(sdk, known);
  return known;
}
