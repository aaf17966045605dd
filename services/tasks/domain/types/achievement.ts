import type { TaskType } from './task-type.js';

/** Once for life. */
export const achievement: TaskType = {
  name: 'achievement',
  measure: 'total-earned',
  opensAgainAtMs: () => null,
  claimKey: () => 'once',
  needsVisit: false,
  once: true,
};
