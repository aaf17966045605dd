import { TASK_WINDOW_MS } from '@cord/contracts/rules/timings';
import type { TaskType } from './task-type.js';

/** Opens again 24 h after the claim. */
export const daily: TaskType = {
  name: 'daily',
  measure: 'node-seconds-today',
  opensAgainAtMs: (claim) => claim.atMs + TASK_WINDOW_MS,
  claimKey: (claims) => String(claims + 1),
  needsVisit: false,
  once: false,
};
