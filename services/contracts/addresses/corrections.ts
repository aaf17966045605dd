/* Addresses of balance corrections, for callers. The schemas are in http/corrections.ts. */

import { addressOf } from '../address.js';

export const list = addressOf('admin.corrections', 'GET', '/admin/corrections', 'admin');
export const propose = addressOf('admin.proposeCorrection', 'POST', '/admin/users/:id/corrections', 'admin');
export const decide = addressOf('admin.decideCorrection', 'PUT', '/admin/corrections/:id', 'admin');
