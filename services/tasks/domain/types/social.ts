import type { TaskType } from './task-type.js';

/** Visit the link, then claim, once (spec part 4; decisions, Visiting a social link). */
export const social: TaskType = {
  name: 'social',
  measure: 'visit',
  opensAgainAtMs: () => null,
  claimKey: () => 'once',
  needsVisit: true,
  once: true,
};
