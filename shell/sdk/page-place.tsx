import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { TabId } from './tabs';

const TabContext = createContext<TabId | null>(null);
const OnScreenContext = createContext(true);

interface PagePlaceProps {
  tab: TabId | null;
  /** False while the page is kept behind the tab that is looked at. */
  onScreen: boolean;
  children: ReactNode;
}

/** Gives a page its tab, and whether it is the one on screen or a kept one. */
export function PagePlace({ tab, onScreen, children }: PagePlaceProps) {
  return (
    <TabContext value={tab}>
      <OnScreenContext value={onScreen}>{children}</OnScreenContext>
    </TabContext>
  );
}

/** The tab whose page this is, wherever the user is by now; null outside of every page. */
export function usePageTab(): TabId | null {
  return useContext(TabContext);
}

function watchVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isSeen = () => document.visibilityState === 'visible';

/**
 * Whether somebody can look at this: the browser's tab is seen, and the page is not a kept one. The effects of a kept page are off in
 * any case, and with them its timers, listeners and queries; this is for what runs outside of effects, and for browser tabs in the background.
 */
export function usePageShown(): boolean {
  const seen = useSyncExternalStore(watchVisibility, isSeen);
  return useContext(OnScreenContext) && seen;
}
