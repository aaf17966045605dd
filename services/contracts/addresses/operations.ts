/* Addresses of operator repairs, for callers. The schemas are in http/operations.ts. */

import { addressOf } from '../address.js';

export const parkedCredits = addressOf('admin.parkedCredits', 'GET', '/admin/parked-credits', 'admin');
export const retryParkedCredit = addressOf('admin.retryParkedCredit', 'POST', '/admin/parked-credits/retry', 'admin');
