import type { DataPlan } from '@cord/kit/migration/plan';

/** What the leaderboard stores. */
export const data: DataPlan = [
  { name: 'snapshots', indexes: [{ key: { generation: 1 } }] },
  // Names and badges of release 1.0.0; now the streams keep them.
  { name: 'profiles', indexes: [], dropped: true },
];
