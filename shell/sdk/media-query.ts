import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether a media query matches, and follows its changes; true without `matchMedia`. */
export function useMediaQuery(query: string): boolean {
  // Stable per query; a new function would resubscribe on each render.
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

/** The large dial; below this width the small one is used, since dials are not scaled. */
export const DESK = '(min-width: 48rem)';
/** Six tabs in the header; below this width the bottom bar and the sheet (storybook/ui/README.md#layout). */
export const WIDE = '(min-width: 64rem)';
/** The wallet with its text; below this width only its icon. */
export const ROOMY = '(min-width: 75rem)';
