import { dayKey, weekStartMs } from '@cord/contracts/rules/days';
import { MICRO } from '@cord/contracts/rules/money';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import type { ProgressView } from './progress.js';
import { type Claim, weekOf } from './record.js';
import { type CatalogueTask, ofTask } from './task.js';
import { taskTypeOf } from './task-types.js';

/**
 * Returns the last ms of the previous ISO week if its mining may still be claimed, else null. It stays open through
 * this week when its last day is excused: a user who reached the goal could not be expected to claim it in time.
 */
export function openWeekBeforeMs(excused: ExcusedDays, nowMs: number): number | null {
  const lastMs = weekStartMs(nowMs) - 1;
  return excused.has(dayKey(lastMs)) ? lastMs : null;
}

/**
 * Returns the state of a weekly mining task for the previous week: `done` is claimed before this week's, `unknown` waits for the ledger.
 * Null when the previous week does not apply: it is not open, was claimed, its goal was not reached, or did not exist by its end.
 */
export function lateWeekOf(task: CatalogueTask, view: ProgressView): 'done' | 'unknown' | null {
  const { weekBefore } = view;
  const type = taskTypeOf(task.type);
  if (weekBefore === null || type.name !== 'weekly' || (task.measure ?? type.measure) !== 'mined-this-week')
    return null;
  if (task.expiresAtMs !== null && weekBefore.atMs >= task.expiresAtMs) return null;
  if (task.goalSinceMs !== undefined && task.goalSinceMs > weekBefore.atMs) return null;
  const claim = ofTask<Claim>(view.record.claims, task.id);
  if (claim && weekOf(claim) >= weekStartMs(weekBefore.atMs)) return null;
  if (weekBefore.minedMicro === null) return 'unknown';
  return weekBefore.minedMicro >= BigInt(task.maxProgress) * MICRO ? 'done' : null;
}
