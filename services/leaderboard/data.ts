import type { DataPlan } from '@cord/kit/collection';
import { CLOSINGS } from './closings.js';
import { SNAPSHOTS } from './store.js';

/** The collections of leaderboard. */
export const data: DataPlan = [SNAPSHOTS, CLOSINGS];
