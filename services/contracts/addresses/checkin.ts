/* Addresses of the daily check-in, for callers. The schemas are in http/checkin.ts. */

import { addressOf } from '../address.js';

export const status = addressOf('checkin.status', 'GET', '/daily-checkin/status/:userId', 'self');
export const perform = addressOf('checkin.perform', 'POST', '/daily-checkin/perform', 'self');
export const history = addressOf('checkin.history', 'GET', '/daily-checkin/history/:userId', 'self');
export const outages = addressOf('admin.outages', 'GET', '/admin/outages', 'admin');
export const stats = addressOf('checkin.stats', 'GET', '/daily-checkin/stats/:userId', 'self');
