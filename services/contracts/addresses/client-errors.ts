/* Addresses of faults that browsers report: what a caller needs. The schemas stand in http/client-errors.ts. */

import { addressOf } from '../address.js';

export const report = addressOf('clientErrors.report', 'POST', '/client-errors', 'public');
export const list = addressOf('admin.clientErrors', 'GET', '/admin/client-errors', 'admin');
