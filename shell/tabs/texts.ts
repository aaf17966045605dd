import { defineTexts, params } from '@cord/sdk';

/** The shell's own tabs, each under its id (spec part 2), and what stands where a tab's page is not there yet or not to be had. */
export const TAB_TEXTS = defineTexts('tabs', {
  dashboard: 'Dashboard',
  settings: 'Settings',

  title: params('{tab} · CORD'),
  nav: 'Tabs',
  nodeOnline: ', node is online',
  loading: params('Loading {tab}'),
  failed: params('{tab} could not be loaded'),
  retry: 'Retry',
  reload: 'Reload',
  off: params('{tab} is switched off for now'),
  offWhy: 'We are mending something. Your node and balance are not affected, and it comes back here by itself.',
  incompatible: 'It does not work with this version of CORD. Your node and balance are not affected.',
  back: 'Back to Dashboard',
});
