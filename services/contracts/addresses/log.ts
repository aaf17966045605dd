/* Addresses of the log over the roots of days, and of the proof of one's own ledger: what a caller needs. The schemas stand in http/log.ts. */

import { addressOf } from '../address.js';

export const proof = addressOf('mining.ledgerProof', 'GET', '/users/:id/ledger/proof', 'self');
export const keys = addressOf('mining.logKeys', 'GET', '/log/keys', 'public');
export const root = addressOf('mining.root', 'GET', '/roots/:day', 'public');
