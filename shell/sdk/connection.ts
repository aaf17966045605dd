import { useEffect, useEffectEvent } from 'react';
import { useSdk } from './sdk';
import { createStore, type Store, useStore } from './store';

/** Whether the server can be reached. A service that returns an error counts as reached. */
export interface Connection {
  /** Null while the server responds; else the time of its last response, ms by the server's clock. */
  lostAtMs: Store<number | null>;
  /** Whether the server became reachable less than `RECOVERY_MS` ago. */
  isRecovering(): boolean;
  /** Called when a call got a response, whatever its status. */
  reached(): void;
  /** Called when a call got no response; a probe must fail too before the connection counts as lost. */
  missed(): void;
}

interface ConnectionDeps {
  now(): number;
  /** Probes the server; rejects when there is no response. */
  probe(): Promise<unknown>;
  bounds?: typeof PROBE_BOUNDS;
  random?: () => number;
  browser?: Pick<Window, 'addEventListener'> & { navigator: Pick<Navigator, 'onLine'> };
}

/**
 * Backoff between probes of an unreachable server, ms: it doubles with each probe, less up to a quarter of jitter so
 * that clients do not return at once. The browser's `online` event triggers a probe immediately.
 */
const PROBE_BOUNDS = { firstMs: 5_000, mostMs: 40_000 };
/** Time after a recovery in which a failed load is retried without a press, and the wait before each retry, ms. */
const RECOVERY_MS = 10_000;
const RETRY_MS = 1_000;

export function createConnection(deps: ConnectionDeps): Connection {
  const { now, probe, bounds = PROBE_BOUNDS, random = Math.random, browser = window } = deps;
  const lostAtMs = createStore<number | null>(null);
  let probing = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let answeredMs: number | null = null;
  let recoveredMs = Number.NEGATIVE_INFINITY;
  let probes = 0;

  function reached(): void {
    answeredMs = now();
    if (lostAtMs.get() !== null) recoveredMs = answeredMs;
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
    isRecovering: () => Math.abs(now() - recoveredMs) < RECOVERY_MS,
    reached,
    missed: () => void probeNow(),
  };
}

/** Whether the server can be reached. While it cannot, actions wait and numbers are the last known. */
export function useOnline(): boolean {
  return useStore(useSdk().connection.lostAtMs) === null;
}

/**
 * Calls back when the server can be reached again, to retry what failed; also after `RETRY_MS` when it fails soon after
 * that, since some requests still fail while a connection returns. @param wanted whether anything failed
 */
export function useOnRecovery(again: () => void, wanted: boolean): void {
  const { lostAtMs, isRecovering } = useSdk().connection;
  const recover = useEffectEvent(again);
  useEffect(() => {
    if (!wanted) return;
    const timer = isRecovering() ? setTimeout(() => recover(), RETRY_MS) : undefined;
    let lost = lostAtMs.get() !== null;
    const stop = lostAtMs.listen(() => {
      const back = lost && lostAtMs.get() === null;
      lost = lostAtMs.get() !== null;
      if (back) recover();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [wanted, lostAtMs, isRecovering]);
}
