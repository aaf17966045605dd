import { defineTexts, params } from '@cord/sdk';

/** Texts of the welcome popup. */
export const WELCOME_TEXTS = defineTexts('welcome', {
  newBadge: 'New miner',
  backBadge: 'Welcome back',
  newTitle: params('Welcome, {name}'),
  backTitle: params('Good to see you, {name}'),
  newText: params('Your account is {age} old, so your multiplier is {multiplier}.'),
  nodeRuns: 'Your node is online and earning.',
  nodePaused: params('Your node earned until {time}, then paused after 8 hours without a visit.'),
  nodeIdle: 'Your node is offline.',
  welcomeCredit: 'Welcome credit',
  invited: 'Invited by a friend, +10%',
  invitedBy: params('Invited by {referrer}, +10%'),
  added: 'Added to your balance',
  onItsWay: 'On its way',
  away: 'Earned while you were away',
  today: 'Earned today',
  rank: 'Rank',
  rankOf: params('{rank} of {miners}'),
  balance: 'Balance',
  start: 'Start Mining',
  starting: 'Starting',
  startFailed: 'Failed to Start Node',
  startFailedText: 'Mining could not be loaded. Try again in a moment.',
  lookAround: 'Look around first',
  toDashboard: 'Go to the dashboard',
});
