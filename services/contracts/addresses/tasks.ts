/* Addresses of tasks: what a caller needs. The schemas stand in http/tasks.ts. */

export const list = { id: 'tasks.list', method: 'GET', path: '/tasks', access: 'user' } as const;
export const byType = { id: 'tasks.byType', method: 'GET', path: '/tasks/type/:type', access: 'user' } as const;
export const get = { id: 'tasks.get', method: 'GET', path: '/tasks/:id', access: 'user' } as const;
export const catalogue = { id: 'admin.tasks', method: 'GET', path: '/admin/tasks', access: 'admin' } as const;
export const create = { id: 'tasks.create', method: 'POST', path: '/tasks', access: 'admin' } as const;
export const update = { id: 'tasks.update', method: 'PUT', path: '/tasks/:id', access: 'admin' } as const;
export const remove = { id: 'tasks.remove', method: 'DELETE', path: '/tasks/:id', access: 'admin' } as const;
export const mine = { id: 'tasks.mine', method: 'GET', path: '/users/:id/tasks', access: 'self' } as const;
export const visit = {
  id: 'tasks.visit',
  method: 'POST',
  path: '/users/:id/tasks/:taskId/visit',
  access: 'self',
} as const;
export const complete = {
  id: 'tasks.complete',
  method: 'POST',
  path: '/users/:id/tasks/:taskId/complete',
  access: 'self',
} as const;
export const completeB = {
  id: 'tasks.completeB',
  method: 'POST',
  path: '/tasks/:id/complete',
  access: 'user',
} as const;
