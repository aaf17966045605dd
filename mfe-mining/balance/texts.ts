import { params } from '@cord/sdk';
import { defineTexts } from '../languages';

/** Texts of what was mined during an absence. */
export const AWAY_TEXTS = defineTexts('mining-away', {
  mined: 'Mined',
  nodeRuns: 'Your node kept running.',
  nodePaused: params('Your node paused at {time}.'),
  nodeIdle: 'Your node is offline.',
  whyMined: 'What your node has earned since you were last here on this device.',
  whyWentOn: 'The session that was running',
  whyBegun: 'Sessions started since',
});

/** Texts of the settings row and the dialog of the last sessions and check-ins. */
export const HISTORY_TEXTS = defineTexts('mining-history', {
  history: 'Mining history',
  historyHelp: 'Your last 10 sessions and 7 days of check-ins.',
  view: 'View',
  historyTitle: 'History',
  historyText: 'Your last 10 mining sessions and the check-ins of the last 7 days.',
  historyFailed: 'Your history could not be loaded',
  sessions: 'Mining sessions',
  noSessions: 'You have not run a node yet.',
  runs: 'runs',
  paused: 'paused',
  sessionNote: params('{length}, efficiency {efficiency}'),
  checkins: 'Check-ins',
  noCheckins: 'No check-in in the last 7 days.',
  checkinNote: params('Day {streak} of the streak'),
});
