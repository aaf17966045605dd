import { useSdk } from '@cord/sdk';
import { useSyncExternalStore } from 'react';

/** This device's time in steps of a second, ms: for how old something read is. */
export function useLocalNow(): number {
  const { ticker } = useSdk();
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(Date.now() / 1_000)) * 1_000;
}
