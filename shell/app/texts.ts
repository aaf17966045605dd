import { defineTexts } from '@cord/sdk';

/** What the shell says around every page. */
export const APP_TEXTS = defineTexts('app', {
  startFailed: 'CORD could not be loaded',
  signInLink: 'Continue to Discord',
  ledger: 'Ledger',
  ledgerFailed: 'The ledger could not be opened',
  skip: 'Skip to content',
  /** Said to screen readers once, on a change (look.md, Speech). */
  nodeOnline: 'Node is online.',
  nodePaused: 'Node is paused.',
  nodeOffline: 'Node is offline.',
});
