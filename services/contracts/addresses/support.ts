/* Addresses of support and the operators' room: what a caller needs. The schemas stand in http/support.ts. */

export const anticheat = { id: 'anticheat.status', method: 'GET', path: '/anticheat/status', access: 'user' } as const;
export const file = { id: 'support.file', method: 'POST', path: '/support', access: 'user' } as const;
export const mine = { id: 'support.mine', method: 'GET', path: '/support', access: 'user' } as const;
export const queue = { id: 'admin.support', method: 'GET', path: '/admin/support', access: 'admin' } as const;
export const oneCase = { id: 'admin.case', method: 'GET', path: '/admin/support/:id', access: 'admin' } as const;
export const take = { id: 'admin.take', method: 'PUT', path: '/admin/support/:id/take', access: 'admin' } as const;
export const answer = { id: 'admin.answer', method: 'PUT', path: '/admin/support/:id', access: 'admin' } as const;
export const audit = { id: 'admin.audit', method: 'GET', path: '/admin/audit', access: 'admin' } as const;
export const addresses = { id: 'admin.addresses', method: 'GET', path: '/admin/addresses', access: 'admin' } as const;
export const address = { id: 'admin.address', method: 'GET', path: '/admin/addresses/:key', access: 'admin' } as const;
export const markAddress = {
  id: 'admin.markAddress',
  method: 'PUT',
  path: '/admin/addresses/:key',
  access: 'admin',
} as const;
export const userDetail = { id: 'admin.user', method: 'GET', path: '/admin/users/:id', access: 'admin' } as const;
export const changeUser = { id: 'admin.changeUser', method: 'PUT', path: '/admin/users/:id', access: 'admin' } as const;
