import { defineTexts, params } from '@cord/sdk';

/** Texts while the server is unreachable. */
export const CONNECTION_TEXTS = defineTexts('shell.connection', {
  offline: params('Offline since {time}.'),
  unreachable: params('CORD has been out of reach since {time}.'),
  stale: 'Showing the last known numbers.',
  runs: params('Your node runs on our servers until {time}.'),
  paused: params('Your node ran on our servers. It paused at {time}.'),
  actions: 'Actions are paused.',
  waits: 'Available when you are back online.',
  back: 'You are back online.',
});
