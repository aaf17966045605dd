import { createStore, type Sdk, type Store } from '@cord/sdk';
import type { SessionState, TabId } from '@cord/sdk/host';

/** How many pages are kept besides the present one (shell/README.md#kept-pages). */
export const KEPT_MAX = 3;

export interface KeptTabs {
  /** The tabs whose pages stay as they were left, the latest first; the current one is none of them. */
  tabs: Store<readonly TabId[]>;
  /** Puts the window where it was when the tab was left; at the top of one that is new. */
  restoreScroll(tab: TabId): void;
}

/** Which pages are kept: those of the last tabs that were left, until the session ends. */
export function createKeptTabs(current: Store<TabId>, session: Store<SessionState>): KeptTabs {
  const tabs = createStore<readonly TabId[]>([]);
  const scrolled = new Map<TabId, number>();
  let shown = current.get();
  /** Where the window is: read as a tab is left, it would have the page that goes laid out once more. */
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
      // At the top already, as each first visit is: to read it from the window would have the page laid out.
      if (wanted === 0 && y === 0) return;
      if (window.scrollY !== wanted) window.scrollTo(0, wanted);
      y = wanted;
    },
  };
}

const made = new WeakMap<Sdk, KeptTabs>();

/** The kept tabs of the page. */
export function keptTabsOf(sdk: Sdk): KeptTabs {
  const known = made.get(sdk) ?? createKeptTabs(sdk.tabs.current, sdk.session.state);
  made.set(sdk, known);
  return known;
}
