import { useCallback } from 'react';
import { usePageTab } from './page-place';
import { useSdk } from './sdk';
import { type Store, useStore } from './store';

/** A tab: `dashboard` and `settings` are the shell's own, the others are those that modules bring; `dashboard` is the first and the fallback. */
export type TabId = string;

/** What each tab has of its state in the address: period, filter, search. What stands as it does by itself is left out. */
export type TabParams = Readonly<Partial<Record<TabId, Readonly<Record<string, string>>>>>;

/** The current tab is state of the shell, not a route. */
export interface Tabs {
  current: Store<TabId>;
  go(tab: TabId): void;
  params: Store<TabParams>;
  /** Keeps a value of a tab's state beside `?tab=`, without a step in the history; null takes it away. */
  setParam(tab: TabId, name: string, value: string | null): void;
}

export function useTabs(): { current: TabId; go(tab: TabId): void } {
  const { tabs } = useSdk();
  return { current: useStore(tabs.current), go: tabs.go };
}

/** A value of this page's state that a link carries and Back brings again; null while it is not in the address. */
export function useTabParam(name: string): [string | null, (value: string | null) => void] {
  const { tabs } = useSdk();
  const pageTab = usePageTab();
  const tab = pageTab ?? tabs.current.get();
  const value = useStore(tabs.params)[tab]?.[name] ?? null;
  const set = useCallback((next: string | null) => tabs.setParam(tab, name, next), [tabs, tab, name]);
  return [value, set];
}

/** The same for one choice of several; what nobody offers is the first choice. */
export function useTabChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): [T, (choice: T) => void] {
  const [value, set] = useTabParam(name);
  const [first] = choices;
  const choose = useCallback((choice: T) => set(choice === first ? null : choice), [set, first]);
  return [choices.find((choice) => choice === value) ?? first, choose];
}

/** All tabs' values with one of them changed; the same object where nothing changes. */
export function withParam(all: TabParams, tab: TabId, name: string, value: string | null): TabParams {
  const { [name]: before = null, ...others } = all[tab] ?? {};
  if (before === value) return all;
  return { ...all, [tab]: value === null ? others : { ...others, [name]: value } };
}
