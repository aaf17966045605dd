import { AUDIT_LOG, CREDIT_INDEXES, type DataPlan } from '@cord/kit/migration/plan';
import { MEMBER, MEMBERS } from './store.js';
import { BUCKET, SUMS } from './sum-store.js';

/** What referrals stores. */
export const data: DataPlan = [
  AUDIT_LOG,
  {
    name: MEMBERS,
    indexes: [
      ...CREDIT_INDEXES,
      { key: { code: 1 }, unique: true, sparse: true },
      ...['dueAt', 'againAt', 'bonusAt', 'codeAt', 'holdKey'].map((field) => ({
        key: { [field]: 1 as const },
        sparse: true as const,
      })),
      { key: { 'referredBy.userId': 1, 'referredBy.atMs': -1 } },
      { key: { 'referredBy.userId': 1, 'address.key': 1, _id: 1 } },
      { key: { 'referredBy.userId': 1, 'friend.heldMicro': 1 } },
    ],
    schema: MEMBER,
  },
  { name: SUMS, indexes: [], schema: BUCKET },
];
