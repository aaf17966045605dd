import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { ORDERS } from './badge/order-store.js';
import { REFUNDS } from './badge/refunds.js';
import { RETURNS } from './badge/returns.js';
import { SIGNATURES } from './badge/signatures.js';
import { EPOCHS, HOLDERS } from './store.js';

/**
 * The collections of rewards. Epochs are published first, because mining pays by them. An erasure marks the holder
 * before it clears the audit log: an entry written without seeing the mark is cleared afterwards.
 */
export const data: DataPlan = [EPOCHS, HOLDERS, AUDIT_LOG, ORDERS, REFUNDS, RETURNS, SIGNATURES];
