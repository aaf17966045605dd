import { defineTexts, params, plural } from '@cord/sdk';

/** What is said to somebody who comes back to a page after more than an hour. */
export const AWAY_TEXTS = defineTexts('away', {
  title: 'Since you were away',
  span: params('{span}, since {time}'),
  dismiss: 'Dismiss',

  mined: 'Mined',
  nodeRuns: 'Your node kept running.',
  nodePaused: params('Your node paused at {time}.'),
  nodeIdle: 'Your node is offline.',
  whyMined: 'What your node has earned since you were last here on this device.',
  whyWentOn: 'The session that was running',
  whyBegun: 'Sessions started since',

  rank: 'Rank',
  unranked: 'Unranked',
  whyRank: 'Your place among all miners by total CORD earned, now and when you were last here on this device.',
  whyThen: 'Then',
  whyNow: 'Now',
  same: 'same as when you left',
  up: plural({ one: '1 place up', other: '{count} places up' }),
  passedByMany: plural({ one: 'Passed by 1 miner', other: 'Passed by {count} miners' }),
  passedBy: params('Passed by {names}'),
  passedByAndMore: plural({ one: 'Passed by {names} and 1 more', other: 'Passed by {names} and {count} more' }),

  waits: 'To do',
  checkin: 'Today’s check-in is open.',
  tasks: plural({ one: '1 task to claim: {amount} CORD', other: '{count} tasks to claim: {amount} CORD' }),
  openTasks: 'Open Tasks',
  nothing: 'Nothing to do right now.',
});
