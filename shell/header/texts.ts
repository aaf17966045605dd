import { defineTexts, params } from '@cord/sdk';

/** Texts of the header, its menu, and the bar and sheet of small screens. */
export const HEADER_TEXTS = defineTexts('header', {
  balance: 'Balance',
  openLedger: 'Balance in CORD, open the ledger',
  menu: 'Menu',
  menuOf: params('Menu of {name}'),
  rank: params('Rank {rank}'),
  unranked: 'Unranked',
  profile: 'Profile and settings',
  allTabs: 'All tabs',
  signOut: 'Sign Out',
});
