import type { AccountState } from '@cord/contracts/events/balance';
import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import type { TaskRecord } from './record.js';

type WithNode = Pick<TaskRecord, 'nodeDay'>;

/**
 * Node time of the UTC day of `nowMs`, ms (the task mine-1-hour counts it): what the
 * newest event has as credited in it, and a running node's time since then, up to now or the end of its lease.
 */
export function nodeTimeTodayMs({ nodeDay }: WithNode, nowMs: number): number {
  if (!nodeDay) return 0;
  const creditedMs = nodeDay.dayKey === dayKey(nowMs) ? nodeDay.ms : 0;
  const sinceMs = Math.max(nodeDay.creditedUntilMs, dayStartMs(nowMs));
  return creditedMs + Math.max(0, Math.min(nodeDay.leaseUntilMs ?? 0, nowMs) - sinceMs);
}

/**
 * The node as the ledger has it now: with the lease of its running session, which each save prolongs and no event carries. Of one that was stopped,
 * only what events have as credited counts, until the event of the stop comes.
 */
export function withLease<T extends WithNode>(record: T, node: AccountState['node']): T {
  const { status, sessionId, leaseUntil } = node;
  const { nodeDay } = record;
  if (status === 'idle' && nodeDay) return { ...record, nodeDay: { ...nodeDay, leaseUntilMs: null } };
  if (status !== 'active' || leaseUntil === null || nodeDay?.sessionId !== sessionId) return record;
  if (nodeDay.leaseUntilMs === null || leaseUntil <= nodeDay.leaseUntilMs) return record;
  return { ...record, nodeDay: { ...nodeDay, leaseUntilMs: leaseUntil } };
}

/** Whether the node ran up to the lease of its last event, and may have continued: only the ledger has it. */
export function outranLease({ nodeDay }: WithNode, nowMs: number): boolean {
  return nodeDay !== undefined && nodeDay.leaseUntilMs !== null && nodeDay.leaseUntilMs < nowMs;
}
