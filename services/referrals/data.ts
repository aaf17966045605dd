import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { MEMBERS } from './store.js';
import { SUMS } from './sum-store.js';

/** The collections of referrals. */
export const data: DataPlan = [AUDIT_LOG, MEMBERS, SUMS];
