/* Addresses of the node and the ledger, for callers. The schemas are in http/mining.ts. */

import { addressOf } from '../address.js';

export const start = addressOf('mining.start', 'POST', '/users/:id/mining/start', 'self');
export const update = addressOf('mining.update', 'PUT', '/mining/:sessionId', 'user');
export const activate = addressOf('mining.activate', 'POST', '/users/:id/activate-node', 'self');
export const deactivate = addressOf('mining.deactivate', 'POST', '/users/:id/deactivate-node', 'self');
export const current = addressOf('mining.current', 'GET', '/users/:id/mining/current', 'self');
export const rate = addressOf('mining.rate', 'GET', '/users/:id/mining/rate', 'self');
export const end = addressOf('mining.end', 'POST', '/mining/:sessionId/end', 'user');
export const save = addressOf('mining.save', 'POST', '/users/:id/mining/:sessionId/save', 'self');
export const history = addressOf('mining.history', 'GET', '/users/:id/mining/history', 'self');
export const ledger = addressOf('mining.ledger', 'GET', '/users/:id/ledger', 'self');
export const earnings = addressOf('mining.earnings', 'GET', '/users/:id/earnings', 'self');
export const hours = addressOf('mining.hours', 'GET', '/users/:id/hours', 'self');
export const startB = addressOf('mining.startB', 'POST', '/mining/start', 'user');
export const stopB = addressOf('mining.stopB', 'POST', '/mining/stop', 'user');
export const updateB = addressOf('mining.updateB', 'POST', '/mining/update', 'user');
export const stats = addressOf('mining.stats', 'GET', '/mining/stats', 'user');
