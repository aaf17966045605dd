import { createStore, type Store, TABS, type TabId, type Tabs } from '@cord/sdk';
import { TAB_TEXTS } from './texts';

/** The tab that an address names; dashboard is the first and the fallback (spec part 2). */
export function tabOfAddress(search: string): TabId {
  const wanted = new URLSearchParams(search).get('tab');
  return TABS.find((tab) => tab === wanted) ?? 'dashboard';
}

/** The address of a tab, other parameters kept. */
export function addressOfTab(tab: TabId, { pathname, search, hash }: Location): string {
  const query = new URLSearchParams(search);
  if (tab === 'dashboard') query.delete('tab');
  else query.set('tab', tab);
  const text = query.toString();
  return `${pathname}${text === '' ? '' : `?${text}`}${hash}`;
}

export interface TabState extends Tabs {
  current: Store<TabId>;
  /** Goes to the tab of that name, as an address would have it. */
  goByName(name: string): void;
  /** Stops listening to Back and Forward. */
  close(): void;
}

/** The current tab: a value of the shell, written to `?tab=` so that Back and a link work (decisions, Interface). */
export function createTabState(): TabState {
  const current = createStore<TabId>(tabOfAddress(location.search));
  const onPopState = () => current.set(tabOfAddress(location.search));
  window.addEventListener('popstate', onPopState);
  function go(tab: TabId): void {
    if (tab === current.get()) return;
    history.pushState(null, '', addressOfTab(tab, location));
    current.set(tab);
  }

  return {
    current,
    go,
    goByName: (name) => go(tabOfAddress(`?tab=${encodeURIComponent(name)}`)),
    close: () => window.removeEventListener('popstate', onPopState),
  };
}

/** The page's title on a tab. */
export function titleOfTab(tab: TabId): string {
  const t = TAB_TEXTS.get();
  return t.title({ tab: t[tab] });
}
