import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, kept current; where nothing can be read it does. */
export function useMediaQuery(query: string): boolean {
  // The same function while the query is: another one would listen anew at each render.
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia?.(query);
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(query).matches ?? true);
}

/** The dial is drawn for its size, not scaled to it: below, the small one. */
export const DESK = '(min-width: 48rem)';
/** Six tabs in the header; below, the bottom bar and the sheet (storybook/ui/README.md#layout). */
export const WIDE = '(min-width: 64rem)';
/** The wallet with its text; below, its icon alone. */
export const ROOMY = '(min-width: 75rem)';
