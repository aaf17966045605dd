/* Addresses of corrections of a balance: what a caller needs. The schemas stand in http/corrections.ts. */

import { addressOf } from '../address.js';

export const list = addressOf('admin.corrections', 'GET', '/admin/corrections', 'admin');
export const propose = addressOf('admin.proposeCorrection', 'POST', '/admin/users/:id/corrections', 'admin');
export const decide = addressOf('admin.decideCorrection', 'PUT', '/admin/corrections/:id', 'admin');
