/* Addresses of admin lookups and reversals, for callers. The schemas are in http/admin.ts. */

import { addressOf } from '../address.js';

export const users = addressOf('admin.users', 'GET', '/admin/users', 'admin');
export const network = addressOf('admin.userNetwork', 'GET', '/admin/users/:id/network', 'admin');
export const sessions = addressOf('admin.userSessions', 'GET', '/admin/users/:id/sessions', 'admin');
export const endSessions = addressOf('admin.endUserSessions', 'POST', '/admin/users/:id/sessions/end', 'admin');
export const ledger = addressOf('admin.userLedger', 'GET', '/admin/users/:id/ledger', 'admin');
export const mining = addressOf('admin.userMining', 'GET', '/admin/users/:id/mining', 'admin');
export const orders = addressOf('admin.userOrders', 'GET', '/admin/users/:id/orders', 'admin');
export const claims = addressOf('admin.userClaims', 'GET', '/admin/users/:id/claims', 'admin');
export const undo = addressOf('admin.undo', 'POST', '/admin/audit/:id/undo', 'admin');
