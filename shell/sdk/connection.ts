import { useEffect, useEffectEvent } from 'react';
import { useSdk } from './sdk';
import { createStore, type Store, useStore } from './store';

/** Whether the server can be reached at all. A service that answers with an error is reached. */
export interface Connection {
  /** Null while the server answers; else when it last did, ms by the server's clock: how old every number is. */
  lostAtMs: Store<number | null>;
  /** A call was answered, whatever the answer. */
  reached(): void;
  /** A call got no answer; one miss is not believed until a probe misses too. */
  missed(): void;
}

interface ConnectionDeps {
  now(): number;
  /** Probes the server; rejects when nothing answers. */
  probe(): Promise<unknown>;
  bounds?: typeof PROBE_BOUNDS;
  random?: () => number;
  browser?: Pick<Window, 'addEventListener'> & { navigator: Pick<Navigator, 'onLine'> };
}

/**
 * While the server is out of reach it is probed again after so long, ms, twice as long each time, and up to a quarter sooner by chance, so that not
 * everybody comes back at once; and at once when the browser reports it is online.
 */
const PROBE_BOUNDS = { firstMs: 5_000, mostMs: 40_000 };

export function createConnection(deps: ConnectionDeps): Connection {
  const { now, probe, bounds = PROBE_BOUNDS, random = Math.random, browser = window } = deps;
  const lostAtMs = createStore<number | null>(null);
  let probing = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let answeredMs: number | null = null;
  let probes = 0;

  function reached(): void {
    answeredMs = now();
    probes = 0;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    lostAtMs.set(null);
  }

  function lost(): void {
    if (lostAtMs.get() === null) lostAtMs.set(answeredMs ?? now());
    if (timer !== null) return;
    const waitMs = Math.min(bounds.firstMs * 2 ** probes, bounds.mostMs) * (1 - random() / 4);
    probes += 1;
    timer = setTimeout(() => {
      timer = null;
      void probeNow();
    }, waitMs);
  }

  async function probeNow(): Promise<void> {
    if (probing) return;
    probing = true;
    await probe().then(reached, lost);
    probing = false;
  }

  browser.addEventListener('offline', lost);
  browser.addEventListener('online', () => void probeNow());
  if (!browser.navigator.onLine) lost();
  return {
    lostAtMs,
    reached,
    missed: () => void probeNow(),
  };
}

/** Whether the server can be reached; while not, actions wait and numbers are the last known. */
export function useOnline(): boolean {
  return useStore(useSdk().connection.lostAtMs) === null;
}

/** Calls back when the server can be reached again, for what failed meanwhile. @param wanted whether anything did */
export function useOnRecovery(again: () => void, wanted: boolean): void {
  const { lostAtMs } = useSdk().connection;
  const recover = useEffectEvent(again);
  useEffect(() => {
    if (!wanted) return;
    let lost = lostAtMs.get() !== null;
    return lostAtMs.listen(() => {
      const back = lost && lostAtMs.get() === null;
      lost = lostAtMs.get() !== null;
      if (back) recover();
    });
  }, [wanted, lostAtMs]);
}
