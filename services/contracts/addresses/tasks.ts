/* Addresses of tasks, for callers. The schemas are in http/tasks.ts. */

import { addressOf } from '../address.js';

export const list = addressOf('tasks.list', 'GET', '/tasks', 'user');
export const byType = addressOf('tasks.byType', 'GET', '/tasks/type/:type', 'user');
export const get = addressOf('tasks.get', 'GET', '/tasks/:id', 'user');
export const catalogue = addressOf('admin.tasks', 'GET', '/admin/tasks', 'admin');
export const create = addressOf('tasks.create', 'POST', '/tasks', 'admin');
export const update = addressOf('tasks.update', 'PUT', '/tasks/:id', 'admin');
export const remove = addressOf('tasks.remove', 'DELETE', '/tasks/:id', 'admin');
export const mine = addressOf('tasks.mine', 'GET', '/users/:id/tasks', 'self');
export const visit = addressOf('tasks.visit', 'POST', '/users/:id/tasks/:taskId/visit', 'self');
export const complete = addressOf('tasks.complete', 'POST', '/users/:id/tasks/:taskId/complete', 'self');
export const completeB = addressOf('tasks.completeB', 'POST', '/tasks/:id/complete', 'user');
