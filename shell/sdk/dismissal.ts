import { useSyncExternalStore } from 'react';
import { useUserId } from './node';
import { deviceStorage } from './storage';

/** Where nothing can be kept, it is dismissed as long as the page is open. */
const here = new Set<string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The other tabs of this browser.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** Whether this user has dismissed an offer on this device, and how to; it stays so over tabs and visits. */
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
