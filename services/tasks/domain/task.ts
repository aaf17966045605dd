import type { TaskMeasure } from '@cord/contracts/rules/task-kinds';

/** A task of the catalogue, as it is stored. */
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
  /** Since when it is open with this goal, ms; absent where that was always so. */
  goalSinceMs?: number;
  /** Order on the page. */
  position: number;
  /** Fields that an older or newer version wrote; kept. */
  extra: Record<string, unknown>;
}

/**
 * The changes with the time from which their goal counts: no week that was over by then can be claimed. Another goal, and an end that was
 * past and is put off, begin anew.
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

/** What a user has under a task's id. An id is an admin's text: what every object has by itself is no claim or visit. */
export function ofTask<T>(byId: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(byId, id) ? byId[id] : undefined;
}
