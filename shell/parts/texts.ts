import { defineTexts, params } from '@cord/sdk';

/** What a part is called when it cannot be shown, and what is said of it then. */
export const PART_TEXTS = defineTexts('parts', {
  'mining/background': 'Mining',
  'mining/node-card': 'Mining node',
  'tasks/tasks-card': 'Tasks',
  'tasks/checkin-button': 'Check-in',
  'referrals/referral-panel': 'Referrals',
  'wallet/wallet-button': 'Wallet',
  'wallet/badge-card': 'Badge of Honor',
  'wallet/purchase-button': 'Purchase',
  'wallet/claim-banner': 'Special reward',
  failed: params('{part} could not be loaded'),
  retry: 'Retry',
  reload: 'Reload',
});
