import type { Parts } from '@cord/sdk';
import { BadgeCard } from './badge-card';
import { ClaimBanner } from './claim-banner';
import { PurchaseButton } from './purchase-button';
import { WalletButton } from './wallet-button';
import { WalletHost } from './wallet-host';

/** The parts that this module exports for other pages. */
export const parts = {
  'wallet-button': WalletButton,
  'badge-card': BadgeCard,
  'purchase-button': PurchaseButton,
  'claim-banner': ClaimBanner,
  host: WalletHost,
} satisfies Parts;
