import type { UserTask } from '@cord/contracts/http/tasks';
import { DAY_MS, nextDayStartMs, weekStartMs } from '@cord/contracts/rules/days';
import { TASK_TYPES } from '@cord/contracts/rules/task-kinds';
import { formatDate } from '@cord/sdk';
import { formatCord, formatCount, formatDuration, formatSpan, percentOf, UNKNOWN } from '@cord/ui';
import type { TaskCardState } from './task-card';
import { TEXTS } from './texts';

/** Filters of the Task Center, in order. */
export const FILTERS = ['all', ...TASK_TYPES] as const;
export type Filter = (typeof FILTERS)[number];

export function matches(filter: Filter, task: UserTask): boolean {
  return filter === 'all' || task.category === filter;
}

/** Returns the ids of completed tasks. */
export function completedIds(tasks: readonly UserTask[]): ReadonlySet<string> {
  return new Set(tasks.filter((task) => task.completed).map(({ id }) => id));
}

/** Returns the tasks in the server's order, with the named ones last. */
export function withLast(tasks: readonly UserTask[], last: ReadonlySet<string>): UserTask[] {
  return [...tasks.filter(({ id }) => !last.has(id)), ...tasks.filter(({ id }) => last.has(id))];
}

/** The task that mirrors the check-in and completes through it (services/contracts/rules/README.md#check-in). */
export const CHECKIN_TASK = 'daily-checkin';

/** Whether the time of an open task is over: it can be claimed no more. */
export function isOver({ completed, expiresAt }: UserTask, nowMs: number): boolean {
  return !completed && expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

/** Returns a card's state: claimable when the server reports it, or when a social task was visited. */
export function stateOf(task: UserTask, nowMs: number): TaskCardState {
  if (task.completed) return 'completed';
  if (isOver(task, nowMs)) return 'open';
  const visited = task.socialUrl !== null && task.visitedAt !== null;
  return task.claimable || visited || task.id === CHECKIN_TASK ? 'claimable' : 'open';
}

/** The task that requires an account of this age: its progress is shown in years, while the service counts 0 or 1. */
const AGE_TASK = { id: 'early-adopter', years: 5 } as const;

/**
 * Returns a task with its progress as shown.
 * @param ageYears age of the Discord account, one decimal; undefined while unknown
 */
export function shownTask(task: UserTask, ageYears: number | undefined): UserTask {
  if (task.id !== AGE_TASK.id || ageYears === undefined) return task;
  const { years } = AGE_TASK;
  return { ...task, progress: task.completed ? years : Math.min(ageYears, years), maxProgress: years };
}

export function percentDone(task: UserTask): number {
  return task.completed ? 100 : percentOf(task.progress ?? 0, task.maxProgress);
}

/** Formats progress in the task's own unit: `01:00:00 of 01:00:00`, `640.00 of 1,000.00`, `2 of 3`, `Visited`. */
export function progressText(task: UserTask): string {
  const t = TEXTS.get();
  if (task.socialUrl !== null) return task.visitedAt !== null || task.completed ? t.visited : t.notVisited;
  if (isByAge(task)) return t.ageOf({ age: formatYears(task.progress ?? 0), most: formatYears(task.maxProgress) });
  const write = UNITS[task.id] ?? formatCount;
  const known = task.progress === null ? UNKNOWN : write(Math.min(task.progress, task.maxProgress));
  return t.progressOf({ done: task.completed ? write(task.maxProgress) : known, most: write(task.maxProgress) });
}

function isByAge({ id, maxProgress }: UserTask): boolean {
  return id === AGE_TASK.id && maxProgress === AGE_TASK.years;
}

function formatYears(years: number): string {
  return formatCord(years, { decimals: Number.isInteger(years) ? 0 : 1 });
}

/** Formats of tasks whose progress is not a plain count. */
const UNITS: Readonly<Record<string, (value: number) => string>> = {
  'mine-1-hour': (seconds) => formatDuration(seconds * 1_000),
  'weekly-mining': (cord) => formatCord(cord),
};

export type HintKind = 'resets' | 'ends' | 'locked';

/** Returns the hint in place of an unavailable button. */
export function hintOf(task: UserTask, nowMs: number): { kind: HintKind; text: string } {
  const t = TEXTS.get();
  if (isOver(task, nowMs)) return { kind: 'ends', text: t.ended };
  if (task.expiresAt !== null)
    return { kind: 'ends', text: t.ends({ left: formatSpan(Date.parse(task.expiresAt) - nowMs) }) };
  const resetMs = resetsAtMs(task, nowMs);
  if (resetMs !== null) return { kind: 'resets', text: t.resets({ left: formatSpan(resetMs - nowMs) }) };
  if (isByAge(task)) {
    // One decimal, like the age.
    const years = Math.max(0, Math.round((task.maxProgress - (task.progress ?? 0)) * 10) / 10);
    return { kind: 'locked', text: t.yearsToGo({ count: years, years: formatYears(years) }) };
  }
  const left = task.progress === null ? null : Math.max(0, Math.ceil(task.maxProgress - task.progress));
  return {
    kind: 'locked',
    text: t.toGo({
      what: task.id === 'social-media-master' ? t.socialTasks({ count: left ?? task.maxProgress }) : formatCount(left),
    }),
  };
}

/** Returns when the progress of a daily or weekly task resets: UTC midnight, Monday 00:00 UTC. */
function resetsAtMs(task: UserTask, nowMs: number): number | null {
  if (task.type === 'daily') return nextDayStartMs(nowMs);
  return task.type === 'weekly' ? weekStartMs(nowMs) + 7 * DAY_MS : null;
}

/** Returns the text of a completed card: its day, or the time until a daily task reopens. */
export function completedOn(task: UserTask, nowMs: number): string | undefined {
  const againMs = task.availableAt === null ? Number.NaN : Date.parse(task.availableAt);
  if (againMs > nowMs) return TEXTS.get().again({ left: formatSpan(againMs - nowMs) });
  if (task.claimedAt === null) return undefined;
  const at = new Date(task.claimedAt);
  return formatDate(at.getTime(), at.getFullYear() !== new Date(nowMs).getFullYear());
}

export interface TasksSummary {
  completed: number;
  total: number;
  /** CORD of the completed tasks. */
  rewards: number;
  percent: number;
}

export function summaryOf(tasks: readonly UserTask[]): TasksSummary {
  const done = tasks.filter((task) => task.completed);
  return {
    completed: done.length,
    total: tasks.length,
    rewards: done.reduce((sum, task) => sum + task.reward, 0),
    percent: percentOf(done.length, tasks.length),
  };
}
