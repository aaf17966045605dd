import { useSyncExternalStore } from 'react';
import { useUserId } from './node';
import { deviceStorage } from './storage';

/** Fallback without storage: dismissed until the page is closed. */
const here = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Changes from the other tabs of this browser.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Returns whether this user has dismissed an offer on this device, and a function that dismisses it across tabs and visits. */
export function useDismissal(offer: string): { dismissed: boolean; dismiss(): void } {
  const key = `cord.dismissed.${offer}.${useUserId() ?? ''}`;
  const dismissed = useSyncExternalStore(subscribe, () => here.has(key) || deviceStorage.getItem(key) !== null);
  return {
    dismissed,
    dismiss() {
      deviceStorage.setItem(key, 'yes');
      if (deviceStorage.getItem(key) === null) here.add(key);
      for (const listener of [...listeners]) listener();
    },
  };
}
