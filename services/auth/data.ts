import { AUDIT_LOG, type DataPlan, OUTBOX_INDEXES } from '@cord/kit/migration/plan';
import { ASSESSMENT } from './anticheat/assessments.js';
import { FACTS } from './store/facts.js';

/** What auth stores, beside its signing keys, which are read whole. */
export const data: DataPlan = [
  AUDIT_LOG,
  {
    name: 'users',
    indexes: [
      { key: { discordId: 1 }, unique: true },
      { key: { usernameLower: 1, lastLoginAtMs: -1 } },
      { key: { usernameLower: 1, _id: 1 } },
      { key: { 'onboarding.dueAtMs': 1 }, sparse: true },
      ...OUTBOX_INDEXES,
      { key: { isAdmin: 1 } },
      { key: { configDenied: 1 }, sparse: true },
    ],
  },
  { name: 'facts', indexes: [], schema: FACTS },
  { name: 'sessions', indexes: [{ key: { userId: 1, createdAtMs: -1 } }, { key: { expiresAtMs: 1 } }] },
  { name: 'oauth_transactions', indexes: [{ key: { expiresAtMs: 1 } }] },
  { name: 'revocations', indexes: [{ key: { untilMs: 1 } }] },
  {
    name: 'support_requests',
    indexes: [
      { key: { userId: 1, createdAtMs: -1 } },
      { key: { status: 1, priority: -1, createdAtMs: 1, _id: 1 } },
      { key: { status: 1, kind: 1, priority: -1, createdAtMs: 1, _id: 1 } },
      { key: { kind: 1, priority: -1, createdAtMs: 1, _id: 1 } },
      { key: { priority: -1, createdAtMs: 1, _id: 1 } },
      ...OUTBOX_INDEXES,
    ],
  },
  { name: 'erasures', indexes: [{ key: { dueAtMs: 1 }, sparse: true }, ...OUTBOX_INDEXES] },
  { name: 'tombstones', indexes: [{ key: { days: 1 }, sparse: true }] },
  {
    name: 'client_errors',
    indexes: [{ key: { lastAtMs: -1, _id: -1 } }, { key: { signedIn: 1, count: 1, lastAtMs: 1 } }],
  },
  {
    name: 'assessments',
    indexes: [{ key: { addressHash: 1 }, sparse: true }, { key: { recheckAtMs: 1 }, sparse: true }, ...OUTBOX_INDEXES],
    schema: ASSESSMENT,
  },
  { name: 'addresses', indexes: [{ key: { users: -1, _id: 1 } }] },
  { name: 'mined_addresses', indexes: [{ key: { userId: 1 } }, { key: { lastAtMs: 1 } }] },
];
