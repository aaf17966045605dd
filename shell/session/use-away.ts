import { type Away, createStore, type Sdk, useSdk, useUserId, type WritableStore } from '@cord/sdk';
import { useEffect } from 'react';
import { useShell } from '../app/shell-context';
import { readLastSeen } from './last-seen';

/** Minimum length of an absence, ms. */
export const AWAY_MS = 3_600_000;

const made = new WeakMap<Sdk, WritableStore<Away | null>>();

/** Store of the last absence until it is dismissed; null without one. */
export function awayOf(sdk: Sdk): WritableStore<Away | null> {
  const known = made.get(sdk) ?? createStore<Away | null>(null);
  made.set(sdk, known);
  return known;
}

/** Detects a return to this device, by a page start or to an open page. */
export function useAway(): void {
  const sdk = useSdk();
  const userId = useUserId();
  const { startup } = useShell();
  useEffect(() => {
    if (userId === null) return;
    const away = awayOf(sdk);
    const look = () => {
      const before = readLastSeen(userId);
      const backMs = sdk.clock.now();
      // The popup after a sign-in already shows it.
      if (before === null || backMs - before.atMs <= AWAY_MS || startup.welcome.get() !== null) return;
      away.set({ before, backMs });
    };
    const onChange = () => document.visibilityState !== 'hidden' && look();
    look();
    document.addEventListener('visibilitychange', onChange);
    return () => {
      document.removeEventListener('visibilitychange', onChange);
      away.set(null);
    };
  }, [sdk, userId, startup]);
}
