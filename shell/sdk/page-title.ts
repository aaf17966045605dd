import { useEffect } from 'react';
import { createStore } from './store';

/** What the view within the current tab is called, for the title of the browser's tab; null while the tab's own name shows it all. */
export const pageTitle = createStore<string | null>(null);

/** While this is shown the browser's tab has its name: "mara.okafor · CORD". @param title null where nothing is known to call it */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return;
    pageTitle.set(title);
    return () => {
      if (pageTitle.get() === title) pageTitle.set(null);
    };
  }, [title]);
}
