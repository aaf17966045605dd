import { type Away, createStore, type Sdk, useSdk, useUserId, type WritableStore } from '@cord/sdk';
import { useEffect } from 'react';
import { useShell } from '../app/shell-context';
import { readLastSeen } from './last-seen';

/** Who comes back sooner has not been away, ms. */
export const AWAY_MS = 3_600_000;

const made = new WeakMap<Sdk, WritableStore<Away | null>>();

/** The last absence, until what came meanwhile has been dismissed; null without one. */
export function awayOf(sdk: Sdk): WritableStore<Away | null> {
  const known = made.get(sdk) ?? createStore<Away | null>(null);
  made.set(sdk, known);
  return known;
}

/** Notices a return to this device, by a start of the page or to a page that stayed open. */
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
      // The popup after a sign-in shows it already.
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
