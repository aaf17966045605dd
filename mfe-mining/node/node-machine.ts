import type { MiningSession } from '@cord/contracts/http/mining';
import { isLeaseOver } from '@cord/sdk';

/** What the node is doing, as the page shows it (storybook/ui/README.md#cord-dial). */
export type NodePhase = 'loading' | 'idle' | 'starting' | 'running' | 'stopping' | 'paused' | 'error';

export interface NodeMachine {
  /** What the user requested and the server has not answered yet. */
  pending: 'start' | 'stop' | null;
  /** The session could not be read, and why. */
  loadError: string | null;
}

export type NodeEvent =
  | { type: 'load-failed'; message: string }
  | { type: 'loaded' }
  | { type: 'start-pressed' }
  | { type: 'started' }
  | { type: 'stop-pressed' }
  | { type: 'stopped' }
  /** Start or stop was refused or lost; the node is as it was before. */
  | { type: 'action-failed' };

export const INITIAL: NodeMachine = { pending: null, loadError: null };

/** From so many failed saves in a row on, the dial stops at the last saved number. */
export const FAILURES_UNTIL_ERROR = 3;

/** The next state of the node on this page. */
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
  /** Saves that failed in a row. */
  failures: number;
  nowMs: number;
}

/** The phase that follows from what this page is doing, what is known of the session, and how its saves go. */
export function phaseOf({ machine, session, failures, nowMs }: Shown): NodePhase {
  if (machine.pending === 'start') return 'starting';
  if (machine.pending === 'stop') return 'stopping';
  if (session === undefined) return machine.loadError === null ? 'loading' : 'error';
  if (session === null || session.status === 'ended') return 'idle';
  if (session.status === 'paused' || isLeaseOver(session, nowMs)) return 'paused';
  return failures >= FAILURES_UNTIL_ERROR ? 'error' : 'running';
}
