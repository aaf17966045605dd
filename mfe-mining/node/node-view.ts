import { formatWhen } from '@cord/sdk';
import { type DialState, formatSpan, type NodeState } from '@cord/ui';
import { TEXTS } from '../texts';
import type { NodePhase } from './node-machine';
import type { Node } from './use-node';

/** Returns the dial's state of a phase. */
export function dialState(phase: NodePhase): DialState {
  return phase === 'loading' ? 'idle' : phase;
}

const BADGES: Record<Exclude<NodePhase, 'loading'>, NodeState> = {
  idle: 'offline',
  starting: 'starting',
  running: 'online',
  stopping: 'stopping',
  paused: 'paused',
  error: 'error',
};

/** Returns the badge of a phase. */
export function badgeState(phase: Exclude<NodePhase, 'loading'>): NodeState {
  return BADGES[phase];
}

/** Returns the time of the last credit, ms by the server's clock; null without a session. */
export function savedAtMs({ session, save }: Node): number | null {
  if (session === null) return null;
  return Math.max(save.savedAtMs ?? 0, Date.parse(session.creditedUntil));
}

/** Formats when a paused node stopped earning: the end of its lease. */
export function pausedAt(node: Node): string {
  const { session, nowMs } = node;
  if (session === null) return '';
  const untilMs = session.leaseUntil ?? session.creditedUntil;
  return formatWhen(Date.parse(untilMs), nowMs);
}

/** Formats the wait before a failed save is retried. */
export function retryIn(node: Node): string {
  return formatSpan(Math.max(1_000, node.save.nextAtMs - node.nowMs));
}

const MS_PER_MINUTE = 60_000;

/** Formats `1 CORD every 31 s`, one turn of the dial; null without earnings. */
export function turnText(rate: number): string | null {
  return rate > 0 ? TEXTS.get().everyTurn({ seconds: formatSpan(MS_PER_MINUTE / rate) }) : null;
}

/** Formats the time that could not be credited, without the network check's share; null when nothing was lost. */
export function lostText(node: Node): string | null {
  if (node.session === null) return null;
  const { efficiency, factors } = node.session;
  const penalty = factors.antiCheat === 0 ? 1 : factors.antiCheat;
  const lostMs = node.uptimeMs * Math.max(0, 1 - efficiency / (100 * penalty));
  return lostMs < 1_000 ? null : TEXTS.get().notCredited({ span: formatSpan(lostMs) });
}
