/* Addresses of the log of day roots and of a user's own ledger proof, for callers. The schemas are in http/log.ts. */

import { addressOf } from '../address.js';

export const proof = addressOf('mining.ledgerProof', 'GET', '/users/:id/ledger/proof', 'self');
export const keys = addressOf('mining.logKeys', 'GET', '/log/keys', 'public');
export const root = addressOf('mining.root', 'GET', '/roots/:day', 'public');
