import type { MiningSession } from '@cord/contracts/http/mining';
import { isLeaseOver } from '@cord/sdk';

/** State of the node as the page shows it (storybook/ui/README.md#cord-dial). */
export type NodePhase = 'loading' | 'idle' | 'starting' | 'running' | 'stopping' | 'paused' | 'error';

export interface NodeMachine {
  /** The user's request without a response yet. */
  pending: 'start' | 'stop' | null;
  /** Why the session could not be read, or null. */
  loadError: string | null;
}

export type NodeEvent =
  | { type: 'load-failed'; message: string }
  | { type: 'loaded' }
  | { type: 'start-pressed' }
  | { type: 'started' }
  | { type: 'stop-pressed' }
  | { type: 'stopped' }
  /** Start or stop was refused or lost; the node is unchanged. */
  | { type: 'action-failed' };

export const INITIAL: NodeMachine = { pending: null, loadError: null };

/** Number of consecutive failed saves after which the dial stops at the last saved number. */
export const FAILURES_UNTIL_ERROR = 3;

/** Returns the next state of the node on this page. */
export function reduceNode(state: NodeMachine, event: NodeEvent): NodeMachine {
  switch (event.type) {
    case 'load-failed':
      return { ...state, loadError: event.message };
    case 'loaded':
      return { ...state, loadError: null };
    case 'start-pressed':
      return { ...state, pending: 'start' };
    case 'stop-pressed':
      return { ...state, pending: 'stop' };
    case 'started':
    case 'stopped':
      return INITIAL;
    case 'action-failed':
      return { ...state, pending: null };
  }
}

export interface Shown {
  machine: NodeMachine;
  /** Undefined while unknown, null when idle. */
  session: MiningSession | null | undefined;
  /** Number of consecutive failed saves. */
  failures: number;
  nowMs: number;
}

/** Derives the phase from this page's actions, the session and the saves. */
export function phaseOf({ machine, session, failures, nowMs }: Shown): NodePhase {
  if (machine.pending === 'start') return 'starting';
  if (machine.pending === 'stop') return 'stopping';
  if (session === undefined) return machine.loadError === null ? 'loading' : 'error';
  if (session === null || session.status === 'ended') return 'idle';
  if (session.status === 'paused' || isLeaseOver(session, nowMs)) return 'paused';
  return failures >= FAILURES_UNTIL_ERROR ? 'error' : 'running';
}
