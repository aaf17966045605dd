import type { PartsOf } from '@cord/sdk';
import { BadgeCard } from './badge-card';
import { ClaimBanner } from './claim-banner';

/** What Wallet lends to other pages. */
export const parts = { 'badge-card': BadgeCard, 'claim-banner': ClaimBanner } satisfies Partial<PartsOf<'wallet'>>;
