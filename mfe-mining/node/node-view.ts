import { formatWhen } from '@cord/sdk';
import { type DialState, formatSpan, type NodeState } from '@cord/ui';
import { TEXTS } from '../texts';
import type { NodePhase } from './node-machine';
import type { Node } from './use-node';

/** The phase as the dial draws it. */
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

/** The phase as a badge. */
export function badgeState(phase: Exclude<NodePhase, 'loading'>): NodeState {
  return BADGES[phase];
}

/** When the last credit was, server's clock, ms; null without a session. */
export function savedAtMs({ session, save }: Node): number | null {
  if (session === null) return null;
  return Math.max(save.savedAtMs ?? 0, Date.parse(session.creditedUntil));
}

/** When a paused node stopped earning: the end of its lease. */
export function pausedAt(node: Node): string {
  const { session, nowMs } = node;
  if (session === null) return '';
  const untilMs = session.leaseUntil ?? session.creditedUntil;
  return formatWhen(Date.parse(untilMs), nowMs);
}

/** How long until a failed save is tried again. */
export function retryIn(node: Node): string {
  return formatSpan(Math.max(1_000, node.save.nextAtMs - node.nowMs));
}

const MS_PER_MINUTE = 60_000;

/** `1 CORD every 31 s`: one turn of the dial; null while nothing is earned. */
export function turnText(rate: number): string | null {
  return rate > 0 ? TEXTS.get().everyTurn({ seconds: formatSpan(MS_PER_MINUTE / rate) }) : null;
}

/** What of the session could not be credited, the network check's share left out; null when nothing was lost. */
export function lostText(node: Node): string | null {
  if (node.session === null) return null;
  const { efficiency, factors } = node.session;
  const penalty = factors.antiCheat === 0 ? 1 : factors.antiCheat;
  const lostMs = node.uptimeMs * Math.max(0, 1 - efficiency / (100 * penalty));
  return lostMs < 1_000 ? null : TEXTS.get().notCredited({ span: formatSpan(lostMs) });
}
