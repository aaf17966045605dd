import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { ORDERS } from './badge/order-store.js';
import { REFUNDS } from './badge/refunds.js';
import { RETURNS } from './badge/returns.js';
import { SIGNATURES } from './badge/signatures.js';
import { EPOCHS, HOLDERS } from './store.js';

/** What rewards stores. The epochs are published first, for mining earns by them. */
export const data: DataPlan = [AUDIT_LOG, EPOCHS, HOLDERS, ORDERS, REFUNDS, RETURNS, SIGNATURES];
