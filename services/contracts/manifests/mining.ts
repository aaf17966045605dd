import type { Manifest } from './manifest.js';

export const mining = {
  raw: [
    { method: 'GET', path: '/verify.mjs' },
    { method: 'GET', path: '/log/checkpoint' },
    { method: 'GET', path: '/log/tile/:level/:tile' },
    { method: 'GET', path: '/log/tile/:level/:tile/:width' },
  ],
  streams: { CORD_BALANCE: ['balance'], CORD_NODES: ['node'] },
  requests: ['user.past', 'checkin.outages'],
  answers: [
    'export.mining',
    'audit.mining',
    'ledger.open.auth',
    'ledger.account',
    'ledger.earnings',
    'ledger.running',
    'ledger.epochs',
    'ledger.rules',
    'ledger.credit.*',
    'ledger.accrue.referrals',
  ],
  liveKinds: ['balance', 'node', 'rate'],
  sharesUsers: true,
  outside: ['solana'],
} as const satisfies Manifest;
