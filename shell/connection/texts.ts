import { defineTexts, params } from '@cord/sdk';

/** What is said while the server cannot be reached. */
export const CONNECTION_TEXTS = defineTexts('shell.connection', {
  offline: params('Offline since {time}.'),
  unreachable: params('CORD has been out of reach since {time}.'),
  stale: 'Numbers are the last known.',
  runs: params('Your node runs on our servers until {time}.'),
  paused: params('Your node ran on our servers. It paused at {time}.'),
  actions: 'Actions wait.',
  waits: 'This waits until you are online again.',
  back: 'You are online again.',
});
