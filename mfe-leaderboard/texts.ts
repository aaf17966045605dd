import type { Period } from '@cord/contracts/http/leaderboard';

/** Every text of the Rankings page. */
export const TEXTS = {
  title: 'Rankings',
  subtitle: {
    'all-time': 'Everything each miner has earned, refreshed every 30 seconds.',
    monthly: 'What each miner has earned this month (UTC), refreshed every 30 seconds.',
    weekly: 'What each miner has earned since Monday (UTC), refreshed every 30 seconds.',
    daily: 'What each miner has earned today (UTC), refreshed every 30 seconds.',
  } satisfies Record<Period, string>,
  periodLabel: 'Period',
  periods: {
    'all-time': 'All Time',
    monthly: 'Monthly',
    weekly: 'Weekly',
    daily: 'Daily',
  } satisfies Record<Period, string>,
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
  more: (count: string) => `${count} more miners`,
  oneMore: '1 more miner',
  behind: (amount: string, rank: number) => `${amount} CORD behind #${rank}`,

  emptyTitle: 'No miners found',
  emptySearch: (search: string) => `Nobody is called “${search}”.`,
  emptyPeriod: 'Nobody has earned anything in this period yet.',
  failed: 'Rankings could not be loaded',
  stale: 'Rankings could not be refreshed. These are the last known.',
  retry: 'Retry',

  badgeOwned: 'Badge of Honor: Owned',
  badgeOwnedText: 'You carry the Honor badge on this list and mine 5% more.',
  badgeNotOwned: 'Badge of Honor: Not owned',
  badgeNotOwnedText: 'Holders carry the Honor badge on this list and mine 5% more.',
  purchase: 'Purchase',
} as const;
