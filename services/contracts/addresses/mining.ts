/* Addresses of the node and the ledger: what a caller needs. The schemas stand in http/mining.ts. */

export const start = { id: 'mining.start', method: 'POST', path: '/users/:id/mining/start', access: 'self' } as const;
export const update = { id: 'mining.update', method: 'PUT', path: '/mining/:sessionId', access: 'user' } as const;
export const activate = {
  id: 'mining.activate',
  method: 'POST',
  path: '/users/:id/activate-node',
  access: 'self',
} as const;
export const deactivate = {
  id: 'mining.deactivate',
  method: 'POST',
  path: '/users/:id/deactivate-node',
  access: 'self',
} as const;
export const current = {
  id: 'mining.current',
  method: 'GET',
  path: '/users/:id/mining/current',
  access: 'self',
} as const;
export const rate = { id: 'mining.rate', method: 'GET', path: '/users/:id/mining/rate', access: 'self' } as const;
export const end = { id: 'mining.end', method: 'POST', path: '/mining/:sessionId/end', access: 'user' } as const;
export const save = {
  id: 'mining.save',
  method: 'POST',
  path: '/users/:id/mining/:sessionId/save',
  access: 'self',
} as const;
export const history = {
  id: 'mining.history',
  method: 'GET',
  path: '/users/:id/mining/history',
  access: 'self',
} as const;
export const ledger = { id: 'mining.ledger', method: 'GET', path: '/users/:id/ledger', access: 'self' } as const;
export const earnings = {
  id: 'mining.earnings',
  method: 'GET',
  path: '/users/:id/earnings',
  access: 'self',
} as const;
export const hours = { id: 'mining.hours', method: 'GET', path: '/users/:id/hours', access: 'self' } as const;
export const startB = { id: 'mining.startB', method: 'POST', path: '/mining/start', access: 'user' } as const;
export const stopB = { id: 'mining.stopB', method: 'POST', path: '/mining/stop', access: 'user' } as const;
export const updateB = { id: 'mining.updateB', method: 'POST', path: '/mining/update', access: 'user' } as const;
export const stats = { id: 'mining.stats', method: 'GET', path: '/mining/stats', access: 'user' } as const;
