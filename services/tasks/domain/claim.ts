import { taskRewardMicro } from '@cord/contracts/rules/bonuses';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import { TASK_VISIT_MIN_MS } from '@cord/contracts/rules/timings';
import type { OutboxCredit } from '@cord/kit/outbox/items';
import { lateWeekOf } from './late-week.js';
import { maxProgressOf, type ProgressView, progressOf } from './progress.js';
import { personOf, type TaskRecord } from './record.js';
import { type CatalogueTask, ofTask } from './task.js';
import { taskTypeOf } from './task-types.js';

/** The state of a task for one user. */
export interface Standing {
  /** Null while the owner of the counted data does not respond. */
  progress: number | null;
  maxProgress: number;
  completed: boolean;
  claimable: boolean;
  claimedAtMs: number | null;
  visitedAtMs: number | null;
  /** When a completed task opens again; null when it is open or never does. */
  availableAtMs: number | null;
  /** Reward at the current multiplier, or the amount that the current claim paid, micro-CORD. */
  rewardMicro: bigint;
}

/** Why a claim is refused, for a stable problem type and text. */
export type Refusal =
  | 'already-completed'
  | 'not-complete'
  | 'visit-first'
  | 'expired'
  | 'check-in'
  | 'returning'
  | 'not-known-yet';

/** Returns progress, claim and reward of a task for a user. */
export function standingOf(task: CatalogueTask, view: ProgressView): Standing {
  const claim = ofTask(view.record.claims, task.id);
  const opensAgainAtMs = claim ? taskTypeOf(task.type).opensAgainAtMs(claim) : null;
  const mirrored = task.measure === 'check-in';
  const completed = mirrored
    ? view.checkedInToday
    : claim !== undefined && (opensAgainAtMs === null || view.nowMs < opensAgainAtMs);
  const maxProgress = maxProgressOf(task, view.catalogue);
  const late = lateWeekOf(task, view);
  const isDone = completed || late === 'done';
  const standing = {
    maxProgress,
    progress: isDone ? maxProgress : late === 'unknown' ? null : progressOf(task, view),
    completed,
    claimedAtMs: completed && claim ? claim.atMs : null,
    visitedAtMs: ofTask(view.record.visits, task.id) ?? null,
    availableAtMs: completed ? opensAgainAtMs : null,
    rewardMicro: mirrored
      ? view.checkinMicro
      : completed && claim
        ? claim.rewardMicro
        : rewardOf(task, view.record, view),
  };
  return { ...standing, claimable: refusalOf(task, view, standing) === null };
}

/** The rule book and time that determine a reward. */
type RewardMoment = Pick<ProgressView, 'book' | 'nowMs'>;

/** Returns the base reward, capped by the rule book, times the user's current multiplier, micro-CORD. */
function rewardOf(task: CatalogueTask, record: TaskRecord, moment: RewardMoment): bigint {
  const mostMicro = BigInt(moment.book.taskMostMicro);
  const baseMicro = task.rewardMicro < mostMicro ? task.rewardMicro : mostMicro;
  return taskRewardMicro(baseMicro, tierOf(record, moment));
}

/** Returns the current tier multiplier x 100; before `user.registered` has arrived, that of the first tier. */
export function tierOf(
  { discordCreatedAtMs }: Pick<TaskRecord, 'discordCreatedAtMs'>,
  { book, nowMs }: RewardMoment,
): bigint {
  return tierHundredths(book, discordCreatedAtMs === null ? 0 : nowMs - discordCreatedAtMs);
}

/** Returns the rule that refuses a claim now; null when it is allowed. */
export function refusalOf(
  task: CatalogueTask,
  view: ProgressView,
  standing: Pick<Standing, 'completed' | 'progress' | 'maxProgress' | 'visitedAtMs'>,
): Refusal | null {
  const type = taskTypeOf(task.type);
  if (standing.completed) return 'already-completed';
  if (task.measure === 'check-in') return 'check-in';
  if (type.once && view.record.returning) return 'returning';
  if (task.expiresAtMs !== null && view.nowMs >= task.expiresAtMs) return 'expired';
  if (type.needsVisit && standing.visitedAtMs === null) return 'visit-first';
  if (type.needsVisit && view.nowMs - (standing.visitedAtMs ?? 0) < TASK_VISIT_MIN_MS) return 'visit-first';
  if (standing.progress === null) return 'not-known-yet';
  if (standing.progress < standing.maxProgress) return 'not-complete';
  // Before `user.registered` has arrived, the multiplier and earlier one-time rewards are not known.
  return personOf(view.record) === null ? 'not-known-yet' : null;
}

/** Returns the record after a claim, and its credit. The caller has checked `refusalOf`. */
export function claimed(task: CatalogueTask, view: ProgressView): { record: TaskRecord; credit: OutboxCredit } {
  const { record, nowMs } = view;
  const type = taskTypeOf(task.type);
  const before = ofTask(record.claims, task.id);
  const count = before?.count ?? 0;
  const rewardMicro = rewardOf(task, record, view);
  const forMs = lateWeekOf(task, view) === 'done' ? view.weekBefore?.atMs : undefined;
  const { forMs: _before, ...claim } = before ?? {};
  return {
    record: {
      ...record,
      claims: {
        ...record.claims,
        [task.id]: { ...claim, ...(forMs === undefined ? {} : { forMs }), count: count + 1, atMs: nowMs, rewardMicro },
      },
      completed: record.completed + 1,
    },
    credit: {
      kind: 'credit',
      key: `task:${task.id}:${record.userId}:${type.claimKey(count, forMs ?? nowMs)}`,
      userId: record.userId,
      source: 'task',
      amountMicro: rewardMicro,
      reason: task.title,
    },
  };
}
