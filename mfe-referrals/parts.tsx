import type { Parts } from '@cord/sdk';
import { ReferralPanel } from './referral-panel';

/** Parts of Referrals for other pages. */
export const parts = { 'referral-panel': ReferralPanel } satisfies Parts;
