import { lazyFile, type Parts } from '@cord/sdk';
import { RankKeeper } from './rank-seen';

/** What Rankings lends to other pages. */
export const parts = {
  'rank-keeper': RankKeeper,
  'away-rank': lazyFile(() => import('./away-rank').then(({ AwayRank }) => AwayRank)),
} satisfies Parts;
