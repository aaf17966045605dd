import { createStore, deviceStorage, type Sdk, useSdk, useUserId, type WritableStore } from '@cord/sdk';
import { useEffect } from 'react';
import { whenQuiet } from '../app/quiet';
import { useShell } from '../app/shell-context';
import { keepRank, RANK_SEEN_KEY } from './keep-rank';
import { type LastSeen, readLastSeen } from './last-seen';

/** Who comes back sooner has not been away, ms. */
export const AWAY_MS = 3_600_000;

/** An absence of this device that is over. */
export interface Away {
  /** What the device showed last. */
  before: LastSeen;
  /** What it had kept of the rank, as it stood there: the next rank is kept before this one may be read. */
  rankSeen: string | null;
  /** When they came back, ms by the server's clock. */
  backMs: number;
}

const made = new WeakMap<Sdk, WritableStore<Away | null>>();

/** The last absence, until what came meanwhile has been dismissed; null without one. */
export function awayOf(sdk: Sdk): WritableStore<Away | null> {
  const known = made.get(sdk) ?? createStore<Away | null>(null);
  made.set(sdk, known);
  return known;
}

/** Notices a return to this device, by a start of the page or to a page that stayed open, and keeps what the next one needs to know of the rank. */
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
      // The popup after a sign-in says it already.
      if (before === null || backMs - before.atMs <= AWAY_MS || startup.welcome.get() !== null) return;
      away.set({ before, rankSeen: deviceStorage.getItem(RANK_SEEN_KEY), backMs });
    };
    const keep = () => void keepRank(sdk, userId);
    const onChange = () => (document.visibilityState === 'hidden' ? keep() : look());
    look();
    const stop = whenQuiet(keep);
    document.addEventListener('visibilitychange', onChange);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', onChange);
      away.set(null);
    };
  }, [sdk, userId, startup]);
}
