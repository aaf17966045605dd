/* Addresses of referrals, for callers. The schemas are in http/referrals.ts. */

import { addressOf } from '../address.js';

export const stats = addressOf('referrals.stats', 'GET', '/referrals/:userId/stats', 'self');
export const process = addressOf('referrals.process', 'POST', '/referrals/process', 'self');
export const earnings = addressOf('referrals.earnings', 'GET', '/referrals/:userId/earnings', 'self');
export const statsB = addressOf('referrals.statsB', 'GET', '/referrals/stats', 'user');
export const historyB = addressOf('referrals.historyB', 'GET', '/referrals/history', 'user');
export const earningsB = addressOf('referrals.earningsB', 'GET', '/referrals/earnings', 'user');
export const holds = addressOf('admin.holds', 'GET', '/admin/holds', 'admin');
export const decideHold = addressOf('admin.decideHold', 'PUT', '/admin/holds/:friendId', 'admin');
export const release = addressOf('referrals.release', 'POST', '/referrals/:userId/release/:friendId', 'admin');
