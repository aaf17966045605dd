import { defineTexts, params } from '@cord/sdk';

/** Texts of the notice list; the server writes the notices themselves. */
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
  /** {key} is rendered as a key. */
  opens: '{key} opens this list',
  close: 'Close',
  loading: 'Loading your notifications',
  emptyTitle: 'Nothing yet',
  emptyText: 'News about your node, streak, friends and payments appears here.',
});
