import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { microToNumber } from '@cord/contracts/rules/money';
import { SAVE_INTERVAL_MS, SAVE_UNSEEN_MS } from '@cord/contracts/rules/timings';
import { ApiError, accrualOf, accruedMicro, createStore, isLeaseOver, type Sdk, type Store } from '@cord/sdk';
import { isHere, readNode } from './start-node';

/** State of the saves. The server accrues by itself, so a failed save is a missed contact, never a lost amount. */
export interface SaveState {
  saving: boolean;
  /** Time of this tab's last successful save, ms by the server's clock; null before the first. */
  savedAtMs: number | null;
  /** Number of failures since the last success. */
  failures: number;
  /** Earliest time of the next save, ms by the server's clock. */
  nextAtMs: number;
}

export interface SaveBounds {
  /** Interval while a tab of this browser is visible, ms. */
  intervalMs: number;
  /** Interval while none is visible, ms. */
  unseenMs: number;
  /** Backoff after the first failure, ms; it doubles with each further one. */
  retryMs: number;
  retryMostMs: number;
}

const SAVE_BOUNDS: SaveBounds = {
  intervalMs: SAVE_INTERVAL_MS,
  unseenMs: SAVE_UNSEEN_MS,
  retryMs: 1_000,
  retryMostMs: 30_000,
};

const NOT_SAVED: SaveState = { saving: false, savedAtMs: null, failures: 0, nextAtMs: 0 };

/** Saves the running node: periodically in the leading tab, whatever page it shows, and on request in any tab. */
export interface Saver {
  state: Store<SaveState>;
  /** Saves now if there is anything to save; a forced save is always a contact. */
  save(options?: { forced?: boolean; keepalive?: boolean }): Promise<void>;
  /** Saves periodically while this tab leads; returns a function that stops it. */
  run(): () => void;
}

type Needs = Pick<Sdk, 'api' | 'session' | 'clock' | 'connection' | 'ticker' | 'queries' | 'live'>;

export function createSaver(sdk: Needs, bounds: SaveBounds = SAVE_BOUNDS): Saver {
  const { api, session, clock, connection } = sdk;
  const state = createStore<SaveState>(NOT_SAVED);
  let savedId: string | undefined;

  const running = (): MiningSession | null => {
    const current = session.node.get();
    const earning = current?.status === 'active' && !isLeaseOver(current, clock.now());
    return earning ? current : null;
  };

  async function save({ forced = false, keepalive = false } = {}): Promise<void> {
    const userId = session.state.get().user?.id;
    const current = running();
    if (userId === undefined || current === null || state.get().saving) return;
    const accrual = accrualOf(current);
    const pending = accrual === null ? 0n : accruedMicro(accrual, clock.now());
    if (pending === 0n && !forced) return;
    savedId = current.id;
    state.set({ ...state.get(), saving: true });
    try {
      const result = await api.call(miningEndpoints.save, {
        params: { id: userId, sessionId: current.id },
        body: { earningsToAdd: microToNumber(pending), miningRate: current.rate },
        keepalive,
      });
      if (!isHere(sdk, userId)) return state.set(NOT_SAVED);
      session.merge(result.updatedUser);
      if (session.node.get()?.id === current.id) session.observeNode(result.session);
      const nowMs = clock.now();
      state.set({ saving: false, savedAtMs: nowMs, failures: 0, nextAtMs: nowMs + bounds.intervalMs });
    } catch (error) {
      if (!isHere(sdk, userId)) return state.set(NOT_SAVED);
      const failures = state.get().failures + 1;
      const waitMs = Math.min(bounds.retryMs * 2 ** (failures - 1), bounds.retryMostMs);
      state.set({ ...state.get(), saving: false, failures, nextAtMs: clock.now() + waitMs });
      // The session was ended elsewhere.
      const gone = error instanceof ApiError && (error.status === 404 || error.status === 409);
      if (gone) await readNode(sdk, userId).catch(() => null);
    }
  }

  function onTick(): void {
    // While unreachable a save would only fail; the server accrues by itself.
    if (connection.lostAtMs.get() !== null) return;
    const { saving, failures } = state.get();
    const current = running();
    if (current === null || saving || !(sdk.live.leads() || failures > 0)) return;
    if (clock.now() >= dueMs(current)) void save({ forced: true });
  }

  /** Returns when the next save is due, counted from the last credit, whichever tab or device saved it. */
  function dueMs({ creditedUntil }: MiningSession): number {
    const { failures, nextAtMs } = state.get();
    if (failures > 0) return nextAtMs;
    const intervalMs = document.visibilityState === 'visible' ? bounds.intervalMs : bounds.unseenMs;
    return Math.max(nextAtMs, Date.parse(creditedUntil) + intervalMs);
  }

  /** Retries a failed save at once when the network is back. */
  function onReachable(): void {
    if (connection.lostAtMs.get() === null && state.get().failures > 0) void save({ forced: true });
  }

  function onVisibility(): void {
    if (document.visibilityState === 'hidden' && sdk.live.leads()) void save({ keepalive: true });
  }

  /** Resets the state when the session changes. */
  function onNode(): void {
    const id = session.node.get()?.id;
    if (savedId === undefined || id === savedId || state.get().saving) return;
    savedId = undefined;
    state.set(NOT_SAVED);
  }

  return {
    state,
    save,
    run() {
      const stops = [
        sdk.ticker.subscribe(onTick),
        connection.lostAtMs.listen(onReachable),
        session.node.listen(onNode),
      ];
      document.addEventListener('visibilitychange', onVisibility);
      window.addEventListener('online', onReachable);
      return () => {
        for (const stop of stops) stop();
        document.removeEventListener('visibilitychange', onVisibility);
        window.removeEventListener('online', onReachable);
      };
    },
  };
}
