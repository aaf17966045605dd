/* Addresses of support and the operators' room, for callers. The schemas are in http/support.ts. */

import { addressOf } from '../address.js';

export const anticheat = addressOf('anticheat.status', 'GET', '/anticheat/status', 'user');
export const file = addressOf('support.file', 'POST', '/support', 'user');
export const mine = addressOf('support.mine', 'GET', '/support', 'user');
export const queue = addressOf('admin.support', 'GET', '/admin/support', 'admin');
export const oneCase = addressOf('admin.case', 'GET', '/admin/support/:id', 'admin');
export const take = addressOf('admin.take', 'PUT', '/admin/support/:id/take', 'admin');
export const answer = addressOf('admin.answer', 'PUT', '/admin/support/:id', 'admin');
export const audit = addressOf('admin.audit', 'GET', '/admin/audit', 'admin');
export const addresses = addressOf('admin.addresses', 'GET', '/admin/addresses', 'admin');
export const address = addressOf('admin.address', 'GET', '/admin/addresses/:key', 'admin');
export const markAddress = addressOf('admin.markAddress', 'PUT', '/admin/addresses/:key', 'admin');
export const userDetail = addressOf('admin.user', 'GET', '/admin/users/:id', 'admin');
export const changeUser = addressOf('admin.changeUser', 'PUT', '/admin/users/:id', 'admin');
