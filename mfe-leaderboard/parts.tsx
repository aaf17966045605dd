import { lazyFile, type Parts } from '@cord/sdk';
import { RankKeeper } from './rank-seen';

/** Parts of Rankings for other pages. */
export const parts = {
  'rank-keeper': RankKeeper,
  'away-rank': lazyFile(() => import('./away-rank').then(({ AwayRank }) => AwayRank)),
} satisfies Parts;
