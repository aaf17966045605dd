import { createStore } from '@cord/sdk';
import { type TabId, type TabParams, type Tabs, withParam } from '@cord/sdk/host';
import { createPageHistory } from './page-history';
import { createReloadScroll } from './reload-scroll';

/** What may be the id of a tab; the registry knows which there are. */
const TAB_ID = /^[a-z][a-z0-9-]{0,31}$/;

/** The tab that an address names; dashboard is the first and the fallback. */
export function tabOfAddress(search: string): TabId {
  const wanted = new URLSearchParams(search).get('tab') ?? '';
  return TAB_ID.test(wanted) ? wanted : 'dashboard';
}

/** What an address contains beside the tab: the tab's own state. */
function paramsOfAddress(search: string): Record<string, string> {
  const query = new URLSearchParams(search);
  query.delete('tab');
  return Object.fromEntries(query);
}

/** The address of a tab with its own state beside it. */
export function addressOfTab(tab: TabId, params: TabParams, { pathname, hash }: Location = location): string {
  const query = new URLSearchParams({ ...(tab === 'dashboard' ? {} : { tab }), ...params[tab] }).toString();
  return `${pathname}${query === '' ? '' : `?${query}`}${hash}`;
}

/** The place that an address names, for the way back from a sign-in: `tab=leaderboard&miner=ID`; null for the first tab as it is. */
export function wantedPlace({ current, params }: Pick<Tabs, 'current' | 'params'>): string | null {
  const tab = current.get();
  const own = params.get()[tab] ?? {};
  if (tab === 'dashboard' && Object.keys(own).length === 0) return null;
  return new URLSearchParams({ tab, ...own }).toString();
}

export interface TabState extends Tabs {
  /** Goes to the tab of that name, as an address would have it. */
  goByName(name: string): void;
  /** The address named a tab that nobody brings: the first one takes its place, without a step in the history. */
  fallBack(): void;
  /** As `setParam`, with a step in the history: a view opens within the tab, and Back leaves it. */
  stepTo: Tabs['setParam'];
  /** Goes to a view of a tab, by one step: Back leads to where this was opened, in the same tab too. */
  goToView(tab: TabId, view: string): void;
  /** Goes back over the views that were opened within the tab. @returns false where there is nothing to go back to */
  leaveViews(): boolean;
  /** Something opens over the page: Back closes it. @returns to be called once it is closed */
  over(close: () => void): () => void;
  /** Stops listening to Back and Forward. */
  close(): void;
}

/** The current tab: a value of the shell, written to `?tab=` with the tab's state beside it, so that Back and a link work. */
export function createTabState(): TabState {
  const current = createStore<TabId>(tabOfAddress(location.search));
  const params = createStore<TabParams>({ [current.get()]: paramsOfAddress(location.search) });
  // Before the steps: those of what lay over the page are taken back as it is loaded.
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
