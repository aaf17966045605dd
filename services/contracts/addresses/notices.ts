/* Addresses of notices: what a caller needs. The schemas stand in http/notices.ts. */

export const list = { id: 'notices.list', method: 'GET', path: '/users/:id/notices', access: 'self' } as const;
export const read = { id: 'notices.read', method: 'POST', path: '/users/:id/notices/read', access: 'self' } as const;
