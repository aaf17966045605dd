import { cord } from '../rules/money.js';
import type { Manifest } from './manifest.js';

/** Commission is not among its credits: it comes to the ledger as a total that rises. */
export const referrals = {
  streams: { CORD_REFERRALS: ['referral'] },
  requests: ['ledger.account', 'ledger.earnings', 'ledger.accrue.referrals'],
  answers: [
    'export.referrals',
    'audit.referrals',
    'parked.referrals',
    'parked.retry.referrals',
    'referral.process.auth',
    'referral.owner',
  ],
  credits: { refbonus: cord(10_000), refwelcome: cord(86) },
  liveKinds: ['referrals'],
} as const satisfies Manifest;
