import { type DataPlan, OUTBOX_INDEXES } from '@cord/kit/migration/plan';
import { CLOSINGS } from './closings.js';

/** What the leaderboard stores. */
export const data: DataPlan = [
  { name: 'snapshots', indexes: [{ key: { generation: 1 } }] },
  { name: CLOSINGS, indexes: OUTBOX_INDEXES },
];
