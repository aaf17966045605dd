import { useSdk } from './sdk';
import { type Store, useStore } from './store';

/** The app's tabs (design.md); `dashboard` is the first and the fallback. */
export const TABS = ['dashboard', 'node', 'tasks', 'leaderboard', 'referrals', 'settings'] as const;
export type TabId = (typeof TABS)[number];

/** The current tab is state of the shell, not a route. */
export interface Tabs {
  current: Store<TabId>;
  go(tab: TabId): void;
}

export function useTabs(): { current: TabId; go(tab: TabId): void } {
  const { tabs } = useSdk();
  return { current: useStore(tabs.current), go: tabs.go };
}
