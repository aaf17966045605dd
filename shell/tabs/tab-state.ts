import { createStore } from '@cord/sdk';
import { type TabId, type TabParams, type Tabs, withParam } from '@cord/sdk/host';
import { createPageHistory } from './page-history';
import { createReloadScroll } from './reload-scroll';

/** Form of a tab id; the registry knows which exist. */
const TAB_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** Returns the tab of an address; dashboard is the first and the fallback. */
export function tabOfAddress(search: string): TabId {
  const wanted = new URLSearchParams(search).get('tab') ?? '';
  return TAB_ID.test(wanted) ? wanted : 'dashboard';
}

/** Returns the tab's own state in an address. */
function paramsOfAddress(search: string): Record<string, string> {
  const query = new URLSearchParams(search);
  query.delete('tab');
  return Object.fromEntries(query);
}

/** Returns the address of a tab with its own state. */
export function addressOfTab(tab: TabId, params: TabParams, { pathname, hash }: Location = location): string {
  const query = new URLSearchParams({ ...(tab === 'dashboard' ? {} : { tab }), ...params[tab] }).toString();
  return `${pathname}${query === '' ? '' : `?${query}`}${hash}`;
}

/** Returns the query of the current place, for the return from a sign-in: `tab=leaderboard&miner=ID`; null for the unchanged first tab. */
export function currentQuery({ current, params }: Pick<Tabs, 'current' | 'params'>): string | null {
  const tab = current.get();
  const own = params.get()[tab] ?? {};
  if (tab === 'dashboard' && Object.keys(own).length === 0) return null;
  return new URLSearchParams({ tab, ...own }).toString();
}

export interface TabState extends Tabs {
  /** Goes to a tab by its name in an address. */
  goByName(name: string): void;
  /** Replaces an unknown tab by the first one, without a history entry. */
  fallBack(): void;
  /** As `setParam`, with a history entry: a view opens within the tab, and Back closes it. */
  stepTo: Tabs['setParam'];
  /** Goes to a view of a tab with one history entry: Back returns to where it was opened, even within the same tab. */
  goToView(tab: TabId, view: string): void;
  /** Goes back over the views opened within the tab. @returns false when there is nothing to go back to */
  leaveViews(): boolean;
  /** Registers an overlay that Back closes. @returns a function to call once it is closed */
  over(close: () => void): () => void;
  /** Stops listening to Back and Forward. */
  close(): void;
}

/** Creates the state of the current tab, stored with its params in `?tab=`, so that Back and links work. */
export function createTabState(): TabState {
  const current = createStore<TabId>(tabOfAddress(location.search));
  const params = createStore<TabParams>({ [current.get()]: paramsOfAddress(location.search) });
  // Created before the history, whose creation goes back over the entries of former overlays.
  const scroll = createReloadScroll();
  current.listen(scroll.giveUp);
  const steps = createPageHistory(() => {
    const tab = tabOfAddress(location.search);
    params.set({ ...params.get(), [tab]: paramsOfAddress(location.search) });
    current.set(tab);
  });

  function go(tab: TabId): void {
    if (tab === current.get()) return;
    steps.push(addressOfTab(tab, params.get()));
    current.set(tab);
  }

  function setParam(tab: TabId, name: string, value: string | null): void {
    params.set(withParam(params.get(), tab, name, value));
    if (tab === current.get()) steps.replace(addressOfTab(tab, params.get()));
  }

  function stepTo(tab: TabId, name: string, value: string | null): void {
    const before = params.get();
    params.set(withParam(before, tab, name, value));
    if (tab === current.get() && params.get() !== before) steps.push(addressOfTab(tab, params.get()), true);
  }

  return {
    current,
    go,
    params,
    setParam,
    stepTo,
    goToView(tab, view) {
      if (tab === current.get()) return stepTo(tab, 'view', view);
      setParam(tab, 'view', view);
      go(tab);
    },
    goByName: (name) => go(tabOfAddress(`?tab=${encodeURIComponent(name)}`)),
    fallBack() {
      steps.replace(addressOfTab('dashboard', params.get()));
      current.set('dashboard');
    },
    leaveViews: steps.leaveViews,
    over: steps.open,
    close() {
      steps.stop();
      scroll.stop();
    },
  };
}
