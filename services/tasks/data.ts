import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { CATALOGUE, META } from './catalogue.js';
import { EXCUSED } from './excused.js';
import { POSSIBLE } from './outages.js';
import { CLAIMED, RECORDS, STREAKS } from './store.js';

/** The collections of tasks. */
export const data: DataPlan = [AUDIT_LOG, RECORDS, STREAKS, CATALOGUE, META, CLAIMED, EXCUSED, POSSIBLE];
