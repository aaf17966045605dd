import { defineTexts, params } from '@cord/sdk';

/** The texts while the server cannot be reached. */
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
