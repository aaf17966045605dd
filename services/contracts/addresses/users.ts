/* Addresses of users: what a caller needs. The schemas stand in http/users.ts. */

export const update = { id: 'users.update', method: 'PUT', path: '/users/:id', access: 'self' } as const;
export const get = { id: 'users.get', method: 'GET', path: '/users/:id', access: 'user' } as const;
export const byUsername = {
  id: 'users.byUsername',
  method: 'GET',
  path: '/users/username/:username',
  access: 'user',
} as const;
export const username = { id: 'users.username', method: 'GET', path: '/users/:id/username', access: 'user' } as const;
export const create = { id: 'users.create', method: 'POST', path: '/users', access: 'user' } as const;
export const updateProfile = {
  id: 'users.updateProfile',
  method: 'PUT',
  path: '/users/profile',
  access: 'user',
} as const;
export const stats = { id: 'users.stats', method: 'GET', path: '/users/stats', access: 'user' } as const;
export const getSettings = {
  id: 'users.getSettings',
  method: 'GET',
  path: '/users/:id/settings',
  access: 'self',
} as const;
export const putSettings = {
  id: 'users.putSettings',
  method: 'PUT',
  path: '/users/:id/settings',
  access: 'self',
} as const;
const exportAll = { id: 'users.export', method: 'GET', path: '/users/:id/export', access: 'self' } as const;
export const remove = { id: 'users.remove', method: 'DELETE', path: '/users/:id', access: 'self' } as const;
export { exportAll as export };
