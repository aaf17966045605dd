import { defineTexts, params } from '@cord/sdk';

/** The tabs, each under its id (spec part 2), and what stands where a tab's page is not there yet or not to be had. */
export const TAB_TEXTS = defineTexts('tabs', {
  dashboard: 'Dashboard',
  node: 'Mining',
  tasks: 'Tasks',
  leaderboard: 'Rankings',
  referrals: 'Referrals',
  settings: 'Settings',

  title: params('{tab} · CORD'),
  nav: 'Tabs',
  nodeOnline: ', node is online',
  loading: params('Loading {tab}'),
  failed: params('{tab} could not be loaded'),
  retry: 'Retry',
  reload: 'Reload',
  back: 'Back to Dashboard',
});
