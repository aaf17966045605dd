import { type DataPlan, OUTBOX_INDEXES } from '@cord/kit/migration/plan';
import { CLOSINGS } from './closings.js';

/** What the leaderboard stores. */
export const data: DataPlan = [
  { name: 'snapshots', indexes: [{ key: { generation: 1 } }] },
  { name: CLOSINGS, indexes: OUTBOX_INDEXES },
  // Names and badges of release 1.0.0; now the streams keep them.
  { name: 'profiles', indexes: [], dropped: true },
];
