import type { AccountState } from '@cord/contracts/events/balance';
import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { TaskRecord } from './record.js';

type WithNode = Pick<TaskRecord, 'nodeDay'>;

/**
 * Returns the node time of the UTC day of `nowMs`, ms, which the task mine-1-hour counts: the time credited by the
 * newest event, plus a running node's time since then, up to now or its lease's end.
 */
export function nodeTimeTodayMs({ nodeDay }: WithNode, nowMs: number): number {
  if (!nodeDay) return 0;
  const creditedMs = nodeDay.dayKey === dayKey(nowMs) ? nodeDay.ms : 0;
  const sinceMs = Math.max(nodeDay.creditedUntilMs, dayStartMs(nowMs));
  return creditedMs + Math.max(0, Math.min(nodeDay.leaseUntilMs ?? 0, nowMs) - sinceMs);
}

/**
 * Applies the ledger's current node state: each save prolongs the lease of a running session, which no event carries.
 * A paused one counts up to its pause. For a node that was stopped, or started again, only the credited time counts, until its event arrives.
 */
export function withLease<T extends WithNode>(record: T, node: AccountState['node']): T {
  const { status, sessionId, creditedUntil, leaseUntil } = node;
  const { nodeDay } = record;
  if (!nodeDay) return record;
  if (nodeDay.sessionId !== sessionId) return { ...record, nodeDay: { ...nodeDay, leaseUntilMs: null } };
  const untilMs = status === 'active' ? leaseUntil : creditedUntil;
  if (untilMs === null || nodeDay.leaseUntilMs === null || untilMs <= nodeDay.leaseUntilMs) return record;
  return { ...record, nodeDay: { ...nodeDay, leaseUntilMs: untilMs } };
}

/** Whether the lease of the node's last event has ended: only the ledger knows whether it continued. */
export function isLeaseOver({ nodeDay }: WithNode, nowMs: number): boolean {
  return nodeDay !== undefined && nodeDay.leaseUntilMs !== null && nodeDay.leaseUntilMs < nowMs;
}
