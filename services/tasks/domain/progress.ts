import type { TaskMeasure } from '@cord/contracts/http/tasks';
import { weekKey } from '@cord/contracts/rules/days';
import { MICRO } from '@cord/contracts/rules/money';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { nodeTimeTodayMs } from './node-time.js';
import type { TaskRecord } from './record.js';
import { type CatalogueTask, ofTask } from './task.js';
import { taskTypeOf } from './types/index.js';

/** What a measure may look at. */
export interface ProgressView {
  record: TaskRecord;
  catalogue: readonly CatalogueTask[];
  /** Whether today's check-in was made. */
  checkedInToday: boolean;
  /** What today's check-in pays or paid, bonus included, micro-CORD. */
  checkinMicro: bigint;
  nowMs: number;
}

const EARLY_ADOPTER_YEARS = 5;

const MEASURES: Readonly<Record<TaskMeasure, (view: ProgressView, task: CatalogueTask) => number>> = {
  'node-seconds-today': ({ record, nowMs }) => Math.floor(nodeTimeTodayMs(record, nowMs) / 1000),
  'mined-this-week': ({ record, nowMs }) =>
    record.account.week === weekKey(nowMs) ? Number(record.account.weekMinedMicro / MICRO) : 0,
  friends: ({ record }) => record.friends,
  'account-age-5': ({ record, nowMs }) =>
    record.discordCreatedAtMs !== null && nowMs - record.discordCreatedAtMs >= EARLY_ADOPTER_YEARS * YEAR_MS ? 1 : 0,
  'check-in': ({ checkedInToday }) => (checkedInToday ? 1 : 0),
  visit: ({ record }, task) => (ofTask(record.visits, task.id) === undefined ? 0 : 1),
  'social-completed': ({ record, catalogue }) =>
    catalogue.filter((each) => each.type === 'social' && ofTask(record.claims, each.id)).length,
  'total-earned': ({ record }) => Number(record.account.totalMicro / MICRO),
};

/** The task's maximum: for "all social tasks" as many as the catalogue has, else its own (spec part 4). */
export function maxProgressOf(task: CatalogueTask, catalogue: readonly CatalogueTask[]): number {
  if (task.measure !== 'social-completed') return task.maxProgress;
  return Math.max(1, catalogue.filter((each) => each.type === 'social').length);
}

/** Derived progress of a task, 0 to its maximum (spec part 4, Derived progress). */
export function progressOf(task: CatalogueTask, view: ProgressView): number {
  const measure = task.measure ?? taskTypeOf(task.type).measure;
  if (!measure) return 0;
  return Math.min(MEASURES[measure](view, task), maxProgressOf(task, view.catalogue));
}
