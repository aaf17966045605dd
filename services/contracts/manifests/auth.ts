import { cord } from '../rules/money.js';
import type { Manifest } from './manifest.js';

export const auth = {
  raw: [
    {
      method: 'GET',
      path: '/auth/discord',
      docs: { id: 'auth.begin', summary: 'Begin to sign in: redirects to Discord', query: ['ref', 'back'] },
    },
    {
      method: 'GET',
      path: '/auth/discord/callback',
      docs: {
        id: 'auth.callback',
        summary: 'Back from Discord: sets the session cookie and redirects into the app',
        query: ['code', 'state', 'error', 'error_description'],
      },
    },
    { method: 'GET', path: '/users/:id/avatar' },
  ],
  streams: { CORD_USERS: ['user', 'session', 'anticheat', 'support'] },
  requests: [
    'ledger.open.auth',
    'ledger.account',
    'rank.get',
    'referral.process.auth',
    'export.auth',
    'export.mining',
    'export.tasks',
    'export.referrals',
    'export.rewards',
    'export.leaderboard',
    'export.notices',
    'audit.mining',
    'audit.tasks',
    'audit.referrals',
    'audit.rewards',
    'parked.tasks',
    'parked.referrals',
    'parked.rewards',
    'parked.retry.tasks',
    'parked.retry.referrals',
    'parked.retry.rewards',
    'releases.list',
    'releases.act',
  ],
  answers: ['export.auth', 'audit.note'],
  credits: { welcome: cord(100_000) },
  liveKinds: ['user'],
  tendsDeadLetters: true,
  looksAtStreams: true,
  outside: ['discord'],
} as const satisfies Manifest;
