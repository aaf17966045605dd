/* Addresses of what operators put right: what a caller needs. The schemas stand in http/operations.ts. */

import { addressOf } from '../address.js';

export const parkedCredits = addressOf('admin.parkedCredits', 'GET', '/admin/parked-credits', 'admin');
export const retryParkedCredit = addressOf('admin.retryParkedCredit', 'POST', '/admin/parked-credits/retry', 'admin');
