import { useSyncExternalStore } from 'react';

/** Whether a media query holds, kept current. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Six tabs in the header; below, the bottom bar and the sheet (look.md, Layout). */
export const WIDE = '(min-width: 1024px)';
/** The wallet with its word; below, its icon alone. */
export const ROOMY = '(min-width: 1200px)';
