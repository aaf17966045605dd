import { defineTexts, params } from '@cord/sdk';

/** Names of the shell's tabs by id, and texts of pages that are loading or unavailable. */
export const TAB_TEXTS = defineTexts('tabs', {
  dashboard: 'Dashboard',
  settings: 'Settings',

  title: params('{tab} · CORD'),
  nav: 'Tabs',
  /** For screen readers, after the tab's name. */
  mark: params(' ({words})'),
  loading: params('Loading {tab}'),
  failed: params('{tab} could not be loaded'),
  retry: 'Retry',
  off: params('{tab} is switched off for now'),
  offWhy: 'We are fixing something. Your node and balance are not affected. This page will come back on its own.',
  incompatible: 'It does not work with this version of CORD. Your node and balance are not affected.',
  back: 'Back to Dashboard',
});
