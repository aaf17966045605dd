import type { TaskMeasure } from '@cord/contracts/rules/task-kinds';

/** A stored task of the catalogue. */
export interface CatalogueTask {
  id: string;
  type: string;
  title: string;
  description: string;
  /** Base reward, micro-CORD. */
  rewardMicro: bigint;
  maxProgress: number;
  measure: TaskMeasure | null;
  socialUrl: string | null;
  expiresAtMs: number | null;
  /** When its current goal was set, ms; absent when it never changed. */
  goalSinceMs?: number;
  /** Order on the page. */
  position: number;
  /** Unknown fields, written by an older or newer version; kept. */
  extra: Record<string, unknown>;
}

/**
 * Adds the time from which the goal counts: weeks that were over by then cannot be claimed. It restarts with a
 * changed goal, and when a past end is moved.
 */
export function withGoalSince<C extends Partial<CatalogueTask>>(
  before: CatalogueTask,
  changes: C,
  nowMs: number,
): C & { goalSinceMs?: number } {
  const isOther = (['type', 'measure', 'maxProgress'] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== before[field],
  );
  const wasOver = before.expiresAtMs !== null && before.expiresAtMs <= nowMs;
  return isOther || (wasOver && changes.expiresAtMs !== undefined) ? { ...changes, goalSinceMs: nowMs } : changes;
}

/** Returns a user's entry for a task id. An id is an admin's text, so inherited properties of an object must not match. */
export function ofTask<T>(byId: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(byId, id) ? byId[id] : undefined;
}
