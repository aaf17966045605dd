import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { TabId } from './tabs';

const TabContext = createContext<TabId | null>(null);
const OnScreenContext = createContext(true);

interface PagePlaceProps {
  tab: TabId | null;
  /** False while the page is kept behind the current tab. */
  onScreen: boolean;
  children: ReactNode;
}

/** Provides a page with its tab and whether it is on screen. */
export function PagePlace({ tab, onScreen, children }: PagePlaceProps) {
  return (
    <TabContext value={tab}>
      <OnScreenContext value={onScreen}>{children}</OnScreenContext>
    </TabContext>
  );
}

/** Returns the tab of this page, whichever tab is current; null outside of every page. */
export function usePageTab(): TabId | null {
  return useContext(TabContext);
}

function watchVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isSeen = () => document.visibilityState === 'visible';

/**
 * Whether this page is visible: the browser tab is visible and the page is not a kept one. A kept page's effects are
 * off, and with them its timers, listeners and queries; this is for code outside of effects and for background tabs.
 */
export function usePageShown(): boolean {
  const seen = useSyncExternalStore(watchVisibility, isSeen);
  return useContext(OnScreenContext) && seen;
}
