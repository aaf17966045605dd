/* Addresses of the operators' overview: what a caller needs. The schemas stand in http/overview.ts. */

export const overview = { id: 'admin.overview', method: 'GET', path: '/admin/overview', access: 'admin' } as const;
export const issued = { id: 'admin.issued', method: 'GET', path: '/admin/issued', access: 'admin' } as const;
export const outageNodes = {
  id: 'admin.outageNodes',
  method: 'GET',
  path: '/admin/outages/nodes',
  access: 'admin',
} as const;
export const pausedNodes = {
  id: 'admin.pausedNodes',
  method: 'GET',
  path: '/admin/nodes/paused',
  access: 'admin',
} as const;
