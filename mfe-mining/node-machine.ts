import type { MiningSession } from '@cord/contracts/http/mining';

/** What the node is doing, as the page shows it (spec part 4, Mining node; look.md, The cord dial). */
export type NodePhase = 'loading' | 'idle' | 'starting' | 'running' | 'stopping' | 'paused' | 'error';

/** How the saves go. The server accrues by itself, so a failed save is a contact missed, never an amount lost. */
export interface SaveState {
  saving: boolean;
  /** When the last save was answered, server's clock, ms; null before the first. */
  savedAtMs: number | null;
  /** Failures since the last answer. */
  failures: number;
  /** When the next save is due, server's clock, ms. */
  nextAtMs: number;
}

export interface NodeMachine {
  /** What the user asked for and the server has not answered yet. */
  pending: 'start' | 'stop' | null;
  /** The session could not be read, and why. */
  loadError: string | null;
  save: SaveState;
}

export type NodeEvent =
  | { type: 'load-failed'; message: string }
  | { type: 'loaded' }
  | { type: 'start-pressed' }
  | { type: 'started'; nowMs: number }
  | { type: 'stop-pressed' }
  | { type: 'stopped' }
  /** Start or stop was refused or lost; the node is as it was before. */
  | { type: 'action-failed' }
  | { type: 'save-begun' }
  | { type: 'saved'; nowMs: number }
  | { type: 'save-failed'; nowMs: number };

export interface SaveTimings {
  /** Between two saves that succeed, ms. */
  intervalMs: number;
  /** After the first failure, doubled with each further one, ms. */
  retryMs: number;
  retryMostMs: number;
}

export const INITIAL: NodeMachine = {
  pending: null,
  loadError: null,
  save: { saving: false, savedAtMs: null, failures: 0, nextAtMs: 0 },
};

/** From so many failed saves in a row on, the dial stops at the last saved number. */
export const FAILURES_UNTIL_ERROR = 3;

/** The next state of the node on this page. */
export function reduceNode(state: NodeMachine, event: NodeEvent, timings: SaveTimings): NodeMachine {
  const { save } = state;
  switch (event.type) {
    case 'load-failed':
      return { ...state, loadError: event.message };
    case 'loaded':
      return { ...state, loadError: null };
    case 'start-pressed':
      return state.pending === null ? { ...state, pending: 'start' } : state;
    case 'started':
      return { pending: null, loadError: null, save: { ...INITIAL.save, nextAtMs: event.nowMs + timings.intervalMs } };
    case 'stop-pressed':
      return state.pending === null ? { ...state, pending: 'stop' } : state;
    case 'stopped':
      return INITIAL;
    case 'action-failed':
      return { ...state, pending: null };
    case 'save-begun':
      return { ...state, save: { ...save, saving: true } };
    case 'saved': {
      const nextAtMs = event.nowMs + timings.intervalMs;
      return { ...state, loadError: null, save: { saving: false, savedAtMs: event.nowMs, failures: 0, nextAtMs } };
    }
    case 'save-failed': {
      const failures = save.failures + 1;
      const waitMs = Math.min(timings.retryMs * 2 ** (failures - 1), timings.retryMostMs);
      return { ...state, save: { ...save, saving: false, failures, nextAtMs: event.nowMs + waitMs } };
    }
  }
}

/**
 * The phase that follows from what this page is doing and what is known of the session.
 * @param session undefined while unknown, null when idle
 */
export function phaseOf(machine: NodeMachine, session: MiningSession | null | undefined, nowMs: number): NodePhase {
  if (machine.pending === 'start') return 'starting';
  if (machine.pending === 'stop') return 'stopping';
  if (session === undefined) return machine.loadError === null ? 'loading' : 'error';
  if (session === null || session.status === 'ended') return 'idle';
  if (session.status === 'paused' || isLeaseOver(session, nowMs)) return 'paused';
  return machine.save.failures >= FAILURES_UNTIL_ERROR ? 'error' : 'running';
}

/** Whether the node has stood still since its lease ran out, though no answer has said so yet. */
function isLeaseOver(session: MiningSession, nowMs: number): boolean {
  return session.leaseUntil !== null && nowMs >= Date.parse(session.leaseUntil);
}
