/* Addresses of what operators look up and undo: what a caller needs. The schemas stand in http/admin.ts. */

export const users = { id: 'admin.users', method: 'GET', path: '/admin/users', access: 'admin' } as const;
export const network = {
  id: 'admin.userNetwork',
  method: 'GET',
  path: '/admin/users/:id/network',
  access: 'admin',
} as const;
export const sessions = {
  id: 'admin.userSessions',
  method: 'GET',
  path: '/admin/users/:id/sessions',
  access: 'admin',
} as const;
export const endSessions = {
  id: 'admin.endUserSessions',
  method: 'POST',
  path: '/admin/users/:id/sessions/end',
  access: 'admin',
} as const;
export const ledger = {
  id: 'admin.userLedger',
  method: 'GET',
  path: '/admin/users/:id/ledger',
  access: 'admin',
} as const;
export const mining = {
  id: 'admin.userMining',
  method: 'GET',
  path: '/admin/users/:id/mining',
  access: 'admin',
} as const;
export const orders = {
  id: 'admin.userOrders',
  method: 'GET',
  path: '/admin/users/:id/orders',
  access: 'admin',
} as const;
export const claims = {
  id: 'admin.userClaims',
  method: 'GET',
  path: '/admin/users/:id/claims',
  access: 'admin',
} as const;
export const undo = { id: 'admin.undo', method: 'POST', path: '/admin/audit/:id/undo', access: 'admin' } as const;
