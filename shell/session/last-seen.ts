import { deviceStorage, useBalance, useSdk, useUserId } from '@cord/sdk';
import { useEffect, useRef } from 'react';

const KEY = 'cord.last-seen';

/** The balance that this device showed last, to whom and when. */
export interface LastSeen {
  userId: string;
  /** micro-CORD. */
  micro: bigint;
  atMs: number;
}

/** What this device showed this user before this visit; the difference is what was earned meanwhile, whatever earned it. */
export function readLastSeen(userId: string): LastSeen | null {
  try {
    const kept = JSON.parse(deviceStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    if (kept?.userId !== userId || typeof kept.micro !== 'string' || typeof kept.atMs !== 'number') return null;
    return { userId, micro: BigInt(kept.micro), atMs: kept.atMs };
  } catch {
    return null;
  }
}

export function writeLastSeen({ userId, micro, atMs }: LastSeen): void {
  deviceStorage.setItem(KEY, JSON.stringify({ userId, micro: String(micro), atMs }));
}

/** Keeps on this device what the user saw last. Written when the page is hidden or left, not each second. */
export function useKeepLastSeen(): void {
  const userId = useUserId() ?? '';
  const { clock } = useSdk();
  const { micro } = useBalance();
  const shown = useRef(micro);
  useEffect(() => {
    if (micro !== null) shown.current = micro;
  }, [micro]);
  useEffect(() => {
    const keep = () => {
      if (shown.current !== null) writeLastSeen({ userId, micro: shown.current, atMs: clock.now() });
    };
    const onHidden = () => {
      if (document.visibilityState === 'hidden') keep();
    };
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('pagehide', keep);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [userId, clock]);
}
