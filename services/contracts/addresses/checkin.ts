/* Addresses of the daily check-in: what a caller needs. The schemas stand in http/checkin.ts. */

export const status = {
  id: 'checkin.status',
  method: 'GET',
  path: '/daily-checkin/status/:userId',
  access: 'self',
} as const;
export const perform = {
  id: 'checkin.perform',
  method: 'POST',
  path: '/daily-checkin/perform',
  access: 'self',
} as const;
export const history = {
  id: 'checkin.history',
  method: 'GET',
  path: '/daily-checkin/history/:userId',
  access: 'self',
} as const;
export const outages = { id: 'admin.outages', method: 'GET', path: '/admin/outages', access: 'admin' } as const;
export const stats = {
  id: 'checkin.stats',
  method: 'GET',
  path: '/daily-checkin/stats/:userId',
  access: 'self',
} as const;
