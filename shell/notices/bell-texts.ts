import { defineTexts, params } from '@cord/sdk';

/** Texts of the bell; those of the list load with it (texts.ts). */
export const BELL_TEXTS = defineTexts('notices.bell', {
  title: 'Notifications',
  unread: params('Notifications, {count} unread'),
  failed: 'Your notifications could not be loaded',
});
