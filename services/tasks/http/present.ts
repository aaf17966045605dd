import type { UserTask } from '@cord/contracts/http/tasks';
import { microToNumber } from '@cord/contracts/rules/money';
import { type Standing, standingOf } from '../domain/claim.js';
import type { ProgressView } from '../domain/progress.js';
import type { CatalogueTask } from '../domain/task.js';
import { textsOf } from '../domain/task-texts.js';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Returns a task in a language, with its base reward in CORD and its unknown fields. */
export function presentTask(task: CatalogueTask, language?: string) {
  return {
    ...task.extra,
    id: task.id,
    type: task.type,
    category: task.type,
    ...(language === undefined ? { title: task.title, description: task.description } : textsOf(task, language)),
    reward: microToNumber(task.rewardMicro),
    maxProgress: task.maxProgress,
    socialUrl: task.socialUrl,
    expiresAt: iso(task.expiresAtMs),
  };
}

/** Returns a task with its state for one user. */
export function presentUserTask(task: CatalogueTask, view: ProgressView, language: string): UserTask {
  const standing: Standing = standingOf(task, view);
  return {
    ...presentTask(task, language),
    reward: microToNumber(standing.rewardMicro),
    maxProgress: standing.maxProgress,
    progress: standing.progress,
    completed: standing.completed,
    claimable: standing.claimable,
    claimedAt: iso(standing.claimedAtMs),
    visitedAt: iso(standing.visitedAtMs),
    availableAt: iso(standing.availableAtMs),
  };
}
