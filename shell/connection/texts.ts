import { defineTexts, params } from '@cord/sdk';

/** What is said while the server cannot be reached. */
export const CONNECTION_TEXTS = defineTexts('shell.connection', {
  offline: 'You are offline',
  unreachable: 'CORD cannot be reached',
  stale: params('Numbers are the last known, from {time}. Your node is not affected. Actions wait.'),
  waits: 'This waits until you are online again.',
  back: 'You are online again.',
});
