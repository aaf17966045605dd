import type { DataPlan } from '@cord/kit/migration/plan';
import { WALKS } from './inbox/epoch-walks.js';
import { EPOCHS } from './inbox/epochs.js';
import { NOTICE } from './inbox/notice.js';
import { PEOPLE, PERSON } from './inbox/people.js';
import { NOTICES } from './inbox/store.js';
import { SUBSCRIPTION, SUBSCRIPTIONS } from './push/subscriptions.js';

/** What notices stores. */
export const data: DataPlan = [
  {
    name: NOTICES,
    indexes: [
      { key: { userId: 1, kind: 1, subject: 1 }, unique: true },
      { key: { userId: 1, atMs: -1, _id: -1 } },
      { key: { 'facts.friendId': 1 }, sparse: true },
      { key: { pushAtMs: 1 }, sparse: true },
      { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    ],
    schema: NOTICE,
  },
  {
    name: PEOPLE,
    indexes: [
      { key: { closesOn: 1 }, sparse: true },
      { key: { commissionOn: 1 }, sparse: true },
      { key: { warnAtMs: 1 }, sparse: true },
      { key: { epochPushAtMs: 1 }, sparse: true },
    ],
    schema: PERSON,
  },
  { name: SUBSCRIPTIONS, indexes: [{ key: { userId: 1, createdAtMs: -1, _id: -1 } }], schema: SUBSCRIPTION },
  { name: EPOCHS, indexes: [] },
  { name: WALKS, indexes: [] },
];
