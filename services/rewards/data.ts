import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { ORDERS } from './badge/order-store.js';
import { REFUNDS } from './badge/refunds.js';
import { RETURNS } from './badge/returns.js';
import { SIGNATURES } from './badge/signatures.js';
import { EPOCHS, HOLDERS } from './store.js';

/**
 * What rewards stores. The epochs are published first, for mining earns by them. An erasure marks the holder before it goes through the
 * audit log: who writes into that and finds no mark is passed by later.
 */
export const data: DataPlan = [EPOCHS, HOLDERS, AUDIT_LOG, ORDERS, REFUNDS, RETURNS, SIGNATURES];
