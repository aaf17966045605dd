/* Addresses of notices, for callers. The schemas are in http/notices.ts. */

import { addressOf } from '../address.js';

export const list = addressOf('notices.list', 'GET', '/users/:id/notices', 'self');
export const read = addressOf('notices.read', 'POST', '/users/:id/notices/read', 'self');

export const pushKey = addressOf('push.key', 'GET', '/users/:id/push/key', 'self');
const subscriptions = '/users/:id/push/subscriptions';
export const pushDevices = addressOf('push.devices', 'GET', subscriptions, 'self');
export const pushSubscribe = addressOf('push.subscribe', 'POST', subscriptions, 'self');
export const pushRemove = addressOf('push.remove', 'DELETE', subscriptions, 'self');
export const pushTest = addressOf('push.test', 'POST', '/users/:id/push/test', 'self');
