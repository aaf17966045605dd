import type { TaskType } from './task-type.js';

/** Visit the link, then claim, once. */
export const social: TaskType = {
  name: 'social',
  measure: 'visit',
  opensAgainAtMs: () => null,
  claimKey: () => 'once',
  needsVisit: true,
  once: true,
};
