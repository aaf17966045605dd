import { LIVE_PATH } from '../live/kinds.js';
import type { Manifest } from './manifest.js';

/**
 * Passes on what others tell, keeps what a user is told and draws cards of public facts; it may say nothing that anybody else in the house would
 * believe, and requests from the ledger what friends brought, and from tasks the days that break no streak.
 */
export const notices = {
  raw: [
    { method: 'GET', path: LIVE_PATH },
    { method: 'GET', path: '/share/:file' },
    { method: 'GET', path: '/share/rank/:file' },
  ],
  streams: {},
  requests: ['rank.card', 'referral.owner', 'ledger.earnings', 'ledger.rules', 'checkin.excused'],
  answers: ['export.notices'],
  liveKinds: ['notices'],
  listensTo: ['live'],
  outside: ['push'],
} as const satisfies Manifest;
