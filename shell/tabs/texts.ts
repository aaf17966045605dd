import { defineTexts, params } from '@cord/sdk';

/** The shell's own tabs, each under its id, and what stands where a tab's page is not there yet or not to be had. */
export const TAB_TEXTS = defineTexts('tabs', {
  dashboard: 'Dashboard',
  settings: 'Settings',

  title: params('{tab} · CORD'),
  nav: 'Tabs',
  /** Behind the tab's name, for screen readers. */
  mark: params(' ({words})'),
  loading: params('Loading {tab}'),
  failed: params('{tab} could not be loaded'),
  retry: 'Retry',
  off: params('{tab} is switched off for now'),
  offWhy: 'We are fixing something. Your node and balance are not affected. This page will come back on its own.',
  incompatible: 'It does not work with this version of CORD. Your node and balance are not affected.',
  back: 'Back to Dashboard',
});
