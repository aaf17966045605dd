/* Addresses of the operators' overview, for callers. The schemas are in http/overview.ts. */

import { addressOf } from '../address.js';

export const overview = addressOf('admin.overview', 'GET', '/admin/overview', 'admin');
export const issued = addressOf('admin.issued', 'GET', '/admin/issued', 'admin');
export const outageNodes = addressOf('admin.outageNodes', 'GET', '/admin/outages/nodes', 'admin');
export const pausedNodes = addressOf('admin.pausedNodes', 'GET', '/admin/nodes/paused', 'admin');
