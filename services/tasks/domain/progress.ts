import type { AccountState } from '@cord/contracts/events/balance';
import { weekKey } from '@cord/contracts/rules/days';
import { MICRO } from '@cord/contracts/rules/money';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { TaskMeasure } from '@cord/contracts/rules/task-kinds';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { isLeaseOver, nodeTimeTodayMs, withLease } from './node-time.js';
import type { TaskRecord } from './record.js';
import { type CatalogueTask, ofTask } from './task.js';
import { taskTypeOf } from './task-types.js';

/** The part of the ledger's account that tasks use. */
export type LedgerView = Pick<AccountState, 'week' | 'total' | 'node'>;

/** The inputs of a measure. */
export interface ProgressView {
  record: TaskRecord;
  /** Null while the ledger's data is not known. */
  ledger: LedgerView | null;
  catalogue: readonly CatalogueTask[];
  /** Whether today's check-in was made. */
  checkedInToday: boolean;
  /** Amount of today's check-in, bonus included, micro-CORD. */
  checkinMicro: bigint;
  /** The previous ISO week while it can still be claimed (late-week.ts); else null. */
  weekBefore: WeekBefore | null;
  /** The rule book in force now. */
  book: RuleBook;
  nowMs: number;
}

/** A past ISO week that can still be claimed. */
interface WeekBefore {
  /** Its last ms. */
  atMs: number;
  /** Amount mined in it, micro-CORD; null while the ledger does not respond. */
  minedMicro: bigint | null;
}

const EARLY_ADOPTER_YEARS = 5;

const cordOf = (micro: string): number => Number(BigInt(micro) / MICRO);

const MEASURES: Readonly<Record<TaskMeasure, (view: ProgressView, task: CatalogueTask) => number | null>> = {
  'node-seconds-today': ({ record, ledger, nowMs }) => {
    if (ledger === null && isLeaseOver(record, nowMs)) return null;
    const node = ledger ? withLease(record, ledger.node) : record;
    return Math.floor(nodeTimeTodayMs(node, nowMs) / 1000);
  },
  'mined-this-week': ({ ledger, nowMs }) =>
    ledger && (ledger.week.key === weekKey(nowMs) ? cordOf(ledger.week.miningMicro) : 0),
  friends: ({ record }) => record.friends,
  'account-age-5': ({ record, nowMs }) =>
    record.discordCreatedAtMs !== null && nowMs - record.discordCreatedAtMs >= EARLY_ADOPTER_YEARS * YEAR_MS ? 1 : 0,
  'check-in': ({ checkedInToday }) => (checkedInToday ? 1 : 0),
  visit: ({ record }, task) => (ofTask(record.visits, task.id) === undefined ? 0 : 1),
  'social-completed': ({ record, catalogue }) =>
    catalogue.filter((each) => each.type === 'social' && ofTask(record.claims, each.id)).length,
  'total-earned': ({ ledger }) => ledger && cordOf(ledger.total),
};

/** Returns the task's maximum: the number of social tasks for "all social tasks", else its own. */
export function maxProgressOf(task: CatalogueTask, catalogue: readonly CatalogueTask[]): number {
  if (task.measure !== 'social-completed') return task.maxProgress;
  return Math.max(1, catalogue.filter((each) => each.type === 'social').length);
}

/** Returns the progress of a task, 0 to its maximum; null while the owner of its data does not respond. */
export function progressOf(task: CatalogueTask, view: ProgressView): number | null {
  const measure = task.measure ?? taskTypeOf(task.type).measure;
  if (!measure) return 0;
  const done = MEASURES[measure](view, task);
  return done === null ? null : Math.min(done, maxProgressOf(task, view.catalogue));
}
