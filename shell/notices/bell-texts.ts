import { defineTexts, params } from '@cord/sdk';

/** What the bell says; the words of the list come with it (texts.ts). */
export const BELL_TEXTS = defineTexts('notices.bell', {
  title: 'Notifications',
  unread: params('Notifications, {count} unread'),
  failed: 'Your notifications could not be loaded',
});
