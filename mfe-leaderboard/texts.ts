import { defineTexts, params, plural } from '@cord/sdk';

/** Every text of the Rankings page. */
export const TEXTS = defineTexts('rankings', {
  title: 'Rankings',
  'subtitle.all-time': 'Everything each miner has earned, refreshed every 30 seconds.',
  'subtitle.monthly': 'What each miner has earned this month (UTC), refreshed every 30 seconds.',
  'subtitle.weekly': 'What each miner has earned since Monday (UTC), refreshed every 30 seconds.',
  'subtitle.daily': 'What each miner has earned today (UTC), refreshed every 30 seconds.',
  periodLabel: 'Period',
  'periods.all-time': 'All Time',
  'periods.monthly': 'Monthly',
  'periods.weekly': 'Weekly',
  'periods.daily': 'Daily',
  search: 'Search by username',
  searchTooShort: 'Type at least 2 characters.',
  clearSearch: 'Clear search',

  totalMiners: 'Total miners',
  activeNow: 'Active now',
  totalMined: 'Total mined',
  yourRank: 'Your rank',
  unranked: 'Unranked',

  listLabel: 'Ranking',
  podiumLabel: 'The first three',
  rank: 'Rank',
  miner: 'Miner',
  account: 'Account',
  multiplier: 'Multiplier',
  earned: 'CORD earned',
  more: plural({ one: '1 more miner', other: '{count} more miners' }),
  behind: params('{amount} CORD behind #{rank}'),

  emptyTitle: 'No miners found',
  emptySearch: params('Nobody is called “{search}”.'),
  emptyPeriod: 'Nobody has earned anything in this period yet.',
  failed: 'Rankings could not be loaded',
  stale: 'Rankings could not be refreshed. These are the last known.',
  retry: 'Retry',

  badgeOwned: 'Badge of Honor: Owned',
  badgeOwnedText: 'You carry the Honor badge on this list and mine 5% more.',
  badgeNotOwned: 'Badge of Honor: Not owned',
  badgeNotOwnedText: 'Holders carry the Honor badge on this list and mine 5% more.',
});
