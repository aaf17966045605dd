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
  whyMined: 'What the sessions of your node have earned since this device showed them last.',
  whyWentOn: 'The session that ran then',
  whyBegun: 'Begun since',

  rank: 'Rank',
  unranked: 'Unranked',
  whyRank: 'Your place among all miners by what you have earned in all, and where this device saw you last.',
  whyThen: 'Then',
  whyNow: 'Now',
  same: 'as when you left',
  up: plural({ one: '1 place up', other: '{count} places up' }),
  passedByMany: plural({ one: 'Passed by 1 miner', other: 'Passed by {count} miners' }),
  passedBy: params('Passed by {names}'),
  passedByAndMore: plural({ one: 'Passed by {names} and 1 more', other: 'Passed by {names} and {count} more' }),

  waits: 'What waits',
  checkin: 'Today’s check-in is open.',
  tasks: plural({ one: '1 task to claim: {amount} CORD', other: '{count} tasks to claim: {amount} CORD' }),
  openTasks: 'Open Tasks',
  nothing: 'Nothing waits for you.',
});
