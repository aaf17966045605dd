import { useSyncExternalStore } from 'react';
import { useSdk } from './sdk';
import { useStore } from './store';

/** Calls back once a second, and at once when the page wakes: shown, focused, restored, online. */
export interface Ticker {
  subscribe(listener: () => void): () => void;
}

const WAKING_WINDOW = ['focus', 'pageshow', 'online'] as const;

/** Creates the timer of the whole page; it stops while nobody listens. */
export function createTicker(intervalMs: number): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | null = null;
  const tick = () => {
    for (const listener of [...listeners]) listener();
  };
  const wake = () => {
    if (document.visibilityState === 'visible') tick();
  };

  function start(): void {
    timer = setInterval(tick, intervalMs);
    document.addEventListener('visibilitychange', wake);
    for (const name of WAKING_WINDOW) window.addEventListener(name, wake);
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    document.removeEventListener('visibilitychange', wake);
    for (const name of WAKING_WINDOW) window.removeEventListener(name, wake);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
  };
}

const resting = () => () => undefined;

/**
 * Returns the server's time in steps of a second, ms since epoch, for ticking numbers. It stops while the server is
 * unreachable, so that derived numbers stay the last known.
 * @param running false avoids renders while nothing ticks
 */
export function useServerNow(running = true): number {
  const { clock, connection, ticker } = useSdk();
  const lostAtMs = useStore(connection.lostAtMs);
  const ticking = running && lostAtMs === null;
  const second = useSyncExternalStore(ticking ? ticker.subscribe : resting, () => Math.floor(clock.now() / 1_000));
  return lostAtMs ?? Math.max(second * 1_000, running ? clock.now() : 0);
}
