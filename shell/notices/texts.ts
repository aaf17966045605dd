import { defineTexts, params } from '@cord/sdk';

/** What lies under the bell; the text of each notice is the server's. */
export const NOTICE_TEXTS = defineTexts('notices', {
  markAll: 'Mark all read',
  settings: 'Notification settings',
  today: 'Today',
  earlier: 'Earlier',
  fresh: 'New',
  now: 'now',
  minutes: params('{count} min'),
  hours: params('{count} h'),
  checkIn: 'Check in',
  readAnswer: 'Read the reply',
  more: 'Show earlier',
  kept: 'Kept for 30 days.',
  /** {key} is drawn as a key. */
  opens: '{key} opens this list',
  close: 'Close',
  loading: 'Loading your notifications',
  emptyTitle: 'Nothing yet',
  emptyText: 'News about your node, streak, friends and payments appears here.',
});
