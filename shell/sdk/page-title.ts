import { useEffect } from 'react';
import { createStore } from './store';

/** Title of the view within the current tab, for the browser tab; null when the tab's own name is enough. */
export const pageTitle = createStore<string | null>(null);

/** Sets the title of the browser tab while mounted: "mara.okafor · CORD". @param title null while unknown */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return;
    pageTitle.set(title);
    return () => {
      if (pageTitle.get() === title) pageTitle.set(null);
    };
  }, [title]);
}
