/* Addresses of the rules, for callers. The schemas are in http/rules.ts. */

import { addressOf } from '../address.js';

export const rules = addressOf('rules.list', 'GET', '/rules', 'public');
export const proposals = addressOf('admin.ruleProposals', 'GET', '/admin/rules', 'admin');
export const propose = addressOf('admin.proposeRules', 'POST', '/admin/rules', 'admin');
export const decide = addressOf('admin.decideRules', 'PUT', '/admin/rules/:id', 'admin');
