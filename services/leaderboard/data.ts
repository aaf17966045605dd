import type { DataPlan } from '@cord/kit/collection';
import { CLOSINGS } from './closings.js';
import { SNAPSHOTS } from './store.js';

/** What the leaderboard stores. */
export const data: DataPlan = [SNAPSHOTS, CLOSINGS];
