/* Addresses of rankings: what a caller needs. The schemas stand in http/leaderboard.ts. */

export const list = { id: 'leaderboard.list', method: 'GET', path: '/leaderboard', access: 'public' } as const;
export const stats = { id: 'leaderboard.stats', method: 'GET', path: '/leaderboard/stats', access: 'public' } as const;
export const me = { id: 'leaderboard.me', method: 'GET', path: '/leaderboard/me', access: 'user' } as const;
export const miner = {
  id: 'leaderboard.miner',
  method: 'GET',
  path: '/leaderboard/users/:id',
  access: 'public',
} as const;
export const global = { id: 'stats.global', method: 'GET', path: '/stats', access: 'public' } as const;
