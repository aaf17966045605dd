import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 768px)';

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia?.(WIDE);
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** Whether the page is at least 768 px wide: the dial is drawn for its size, not scaled to it. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia?.(WIDE).matches ?? true);
}
