/* Addresses of rankings, for callers. The schemas are in http/leaderboard.ts. */

import { addressOf } from '../address.js';

export const list = addressOf('leaderboard.list', 'GET', '/leaderboard', 'public');
export const stats = addressOf('leaderboard.stats', 'GET', '/leaderboard/stats', 'public');
export const me = addressOf('leaderboard.me', 'GET', '/leaderboard/me', 'user');
export const miner = addressOf('leaderboard.miner', 'GET', '/leaderboard/users/:id', 'public');
export const global = addressOf('stats.global', 'GET', '/stats', 'public');
