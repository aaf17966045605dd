/* Addresses of notices: what a caller needs. The schemas stand in http/notices.ts. */

export const list = { id: 'notices.list', method: 'GET', path: '/users/:id/notices', access: 'self' } as const;
export const read = { id: 'notices.read', method: 'POST', path: '/users/:id/notices/read', access: 'self' } as const;

export const pushKey = { id: 'push.key', method: 'GET', path: '/users/:id/push/key', access: 'self' } as const;
const subscriptions = '/users/:id/push/subscriptions';
export const pushDevices = { id: 'push.devices', method: 'GET', path: subscriptions, access: 'self' } as const;
export const pushSubscribe = { id: 'push.subscribe', method: 'POST', path: subscriptions, access: 'self' } as const;
export const pushRemove = { id: 'push.remove', method: 'DELETE', path: subscriptions, access: 'self' } as const;
export const pushTest = { id: 'push.test', method: 'POST', path: '/users/:id/push/test', access: 'self' } as const;
