/* Addresses of browser fault reports, for callers. The schemas are in http/client-errors.ts. */

import { addressOf } from '../address.js';

export const report = addressOf('clientErrors.report', 'POST', '/client-errors', 'public');
export const list = addressOf('admin.clientErrors', 'GET', '/admin/client-errors', 'admin');
