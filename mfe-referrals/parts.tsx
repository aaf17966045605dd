import type { Parts } from '@cord/sdk';
import { ReferralPanel } from './referral-panel';

/** What Referrals lends to other pages. */
export const parts = { 'referral-panel': ReferralPanel } satisfies Parts;
