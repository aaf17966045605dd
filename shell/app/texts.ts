import { defineTexts, params } from '@cord/sdk';

/** Texts of the shell around every page. */
export const APP_TEXTS = defineTexts('app', {
  startFailed: 'CORD could not be loaded',
  signInLink: 'Continue to Discord',
  ledger: 'Ledger',
  ledgerFailed: 'The ledger could not be opened',
  /** Shown in place of an area that threw. */
  broken: params('{name} could not be displayed'),
  safe: 'Your node and balance are not affected.',
  header: 'The header',
  menu: 'Menu',
  menuFailed: 'The menu could not be opened',
  signOut: 'Sign Out',
  signOutFailed: 'The sign-out dialog could not be opened',
  newShell: 'A new version of CORD is here.',
  newShellMore: 'Your node keeps running. Filter, search and place stay as they are.',
  later: 'Later',
  /** A file of this page did not load: most likely a new version has replaced it. */
  missing:
    'Part of this page could not be loaded, so some menus and dialogs will not open. Your node and balance are not affected.',
  skip: 'Skip to content',
});
