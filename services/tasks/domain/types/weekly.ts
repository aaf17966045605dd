import { DAY_MS, weekKey, weekStartMs } from '@cord/contracts/rules/days';
import type { TaskType } from './task-type.js';

/** Once an ISO week (decisions, Days). */
export const weekly: TaskType = {
  name: 'weekly',
  measure: 'mined-this-week',
  opensAgainAtMs: (claim) => weekStartMs(claim.atMs) + 7 * DAY_MS,
  claimKey: (_claims, nowMs) => weekKey(nowMs),
  needsVisit: false,
  once: false,
};
