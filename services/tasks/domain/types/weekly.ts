import { DAY_MS, weekKey } from '@cord/contracts/rules/days';
import { weekOf } from '../record.js';
import type { TaskType } from './task-type.js';

/** Once an ISO week. */
export const weekly: TaskType = {
  name: 'weekly',
  measure: 'mined-this-week',
  opensAgainAtMs: (claim) => weekOf(claim) + 7 * DAY_MS,
  claimKey: (_claims, forMs) => weekKey(forMs),
  needsVisit: false,
  once: false,
};
