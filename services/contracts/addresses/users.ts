/* Addresses of users, for callers. The schemas are in http/users.ts. */

import { addressOf } from '../address.js';

export const update = addressOf('users.update', 'PUT', '/users/:id', 'self');
export const get = addressOf('users.get', 'GET', '/users/:id', 'user');
export const byUsername = addressOf('users.byUsername', 'GET', '/users/username/:username', 'user');
export const username = addressOf('users.username', 'GET', '/users/:id/username', 'user');
export const create = addressOf('users.create', 'POST', '/users', 'user');
export const updateProfile = addressOf('users.updateProfile', 'PUT', '/users/profile', 'user');
export const stats = addressOf('users.stats', 'GET', '/users/stats', 'user');
export const getSettings = addressOf('users.getSettings', 'GET', '/users/:id/settings', 'self');
export const putSettings = addressOf('users.putSettings', 'PUT', '/users/:id/settings', 'self');
const exportAll = addressOf('users.export', 'GET', '/users/:id/export', 'self');
export const remove = addressOf('users.remove', 'DELETE', '/users/:id', 'self');
export { exportAll as export };
