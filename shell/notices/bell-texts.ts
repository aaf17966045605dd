import { defineTexts, params } from '@cord/sdk';

/** The texts of the bell; those of the list come with it (texts.ts). */
export const BELL_TEXTS = defineTexts('notices.bell', {
  title: 'Notifications',
  unread: params('Notifications, {count} unread'),
  failed: 'Your notifications could not be loaded',
});
