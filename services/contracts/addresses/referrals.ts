/* Addresses of friends: what a caller needs. The schemas stand in http/referrals.ts. */

export const stats = {
  id: 'referrals.stats',
  method: 'GET',
  path: '/referrals/:userId/stats',
  access: 'self',
} as const;
export const process = { id: 'referrals.process', method: 'POST', path: '/referrals/process', access: 'self' } as const;
export const earnings = {
  id: 'referrals.earnings',
  method: 'GET',
  path: '/referrals/:userId/earnings',
  access: 'self',
} as const;
export const statsB = { id: 'referrals.statsB', method: 'GET', path: '/referrals/stats', access: 'user' } as const;
export const historyB = {
  id: 'referrals.historyB',
  method: 'GET',
  path: '/referrals/history',
  access: 'user',
} as const;
export const earningsB = {
  id: 'referrals.earningsB',
  method: 'GET',
  path: '/referrals/earnings',
  access: 'user',
} as const;
export const holds = { id: 'admin.holds', method: 'GET', path: '/admin/holds', access: 'admin' } as const;
export const decideHold = {
  id: 'admin.decideHold',
  method: 'PUT',
  path: '/admin/holds/:friendId',
  access: 'admin',
} as const;
export const release = {
  id: 'referrals.release',
  method: 'POST',
  path: '/referrals/:userId/release/:friendId',
  access: 'admin',
} as const;
