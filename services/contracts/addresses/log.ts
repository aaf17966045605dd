/* Addresses of the log over the roots of days, and of the proof of one's own ledger: what a caller needs. The schemas stand in http/log.ts. */

export const proof = {
  id: 'mining.ledgerProof',
  method: 'GET',
  path: '/users/:id/ledger/proof',
  access: 'self',
} as const;
export const keys = { id: 'mining.logKeys', method: 'GET', path: '/log/keys', access: 'public' } as const;
export const root = { id: 'mining.root', method: 'GET', path: '/roots/:day', access: 'public' } as const;
