import type { AccountState } from '@cord/contracts/events/balance';
import { DAY_MS, dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { NodeDay, NodeStretch, TaskRecord } from './record.js';

/** Stretches kept at the most; a day cannot need more that count, since each is at least a moment of node time. */
const STRETCHES_MAX = 200;

type Told = Pick<TaskRecord, 'nodeDay' | 'stretches'>;

/**
 * Node time of the UTC day of `nowMs`, ms (the task mine-1-hour counts it): what the
 * newest event tells was credited in it, and a running node's time since then, up to now or the end of its lease.
 */
export function nodeTimeTodayMs({ nodeDay, stretches }: Told, nowMs: number): number {
  if (!nodeDay) return stretchesTodayMs(stretches, nowMs);
  const creditedMs = nodeDay.dayKey === dayKey(nowMs) ? nodeDay.ms : 0;
  const sinceMs = Math.max(nodeDay.creditedUntilMs, dayStartMs(nowMs));
  return creditedMs + Math.max(0, Math.min(nodeDay.leaseUntilMs ?? 0, nowMs) - sinceMs);
}

/** The same by the sessions that a release before told of. */
function stretchesTodayMs(stretches: readonly NodeStretch[], nowMs: number): number {
  const fromMs = dayStartMs(nowMs);
  return stretches.reduce((sum, stretch) => {
    const untilMs = Math.min(stretch.untilMs, nowMs);
    return sum + Math.max(0, untilMs - Math.max(stretch.startedAtMs, fromMs));
  }, 0);
}

/** The node with the lease of its running session, which each save prolongs and no event tells. */
export function withLease<T extends Told>(told: T, node: AccountState['node']): T {
  const { status, sessionId, leaseUntil } = node;
  if (status !== 'active' || leaseUntil === null) return told;
  const { nodeDay } = told;
  if (nodeDay) {
    const isOlder =
      nodeDay.sessionId !== sessionId || nodeDay.leaseUntilMs === null || leaseUntil <= nodeDay.leaseUntilMs;
    return isOlder ? told : { ...told, nodeDay: { ...nodeDay, leaseUntilMs: leaseUntil } };
  }
  const stretches = told.stretches.map((each) =>
    each.sessionId === sessionId && each.running ? { ...each, untilMs: Math.max(each.untilMs, leaseUntil) } : each,
  );
  return { ...told, stretches };
}

/** Whether the node ran up to the lease that events told of, and may have gone on: only the ledger knows. */
export function outranLease({ nodeDay, stretches }: Told, nowMs: number): boolean {
  if (nodeDay) return nodeDay.leaseUntilMs !== null && nodeDay.leaseUntilMs < nowMs;
  return stretches.some((each) => each.running && each.untilMs < nowMs);
}

/** The stretches after a session began, went on or ended: one for each session, none older than yesterday. */
export function withStretch(stretches: readonly NodeStretch[], changed: NodeStretch, nowMs: number): NodeStretch[] {
  const before = stretches.find(({ sessionId }) => sessionId === changed.sessionId);
  const others = stretches
    .filter((each) => each.sessionId !== changed.sessionId)
    .map((each) =>
      each.running && changed.running
        ? { ...each, running: false, untilMs: Math.min(each.untilMs, changed.startedAtMs) }
        : each,
    );
  const oldestMs = dayStartMs(nowMs) - DAY_MS;
  return [...others, { ...before, ...changed }].filter((each) => each.untilMs >= oldestMs).slice(-STRETCHES_MAX);
}

/** The day's node time after an event of a release before, which tells of its session alone. */
export function dayWith(
  day: NodeDay,
  event: { sessionId: string; startedAt: number; creditedUntil: number },
): Pick<NodeDay, 'dayKey' | 'ms'> {
  const key = dayKey(event.creditedUntil);
  const knownMs = day.dayKey === key ? day.ms : 0;
  const sinceMs = day.sessionId === event.sessionId ? day.creditedUntilMs : event.startedAt;
  const fromMs = Math.max(sinceMs, dayStartMs(event.creditedUntil));
  return { dayKey: key, ms: knownMs + Math.max(0, event.creditedUntil - fromMs) };
}
