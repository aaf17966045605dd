import { documentSchema } from '@cord/kit/document-schema';
import { AUDIT_LOG, type DataPlan } from '@cord/kit/migration/plan';
import { ACCOUNT, ENTRY } from './store/ledger-store.js';
import type { CorrectionDoc, DayDoc, SessionDoc } from './store/models.js';

/** The schemas that records of sessions have had. */
const SESSION = documentSchema<SessionDoc>('session record');

/** The schemas that finished days have had. */
const DAY = documentSchema<DayDoc>('finished day');

/** The schemas that corrections have had. */
const CORRECTION = documentSchema<CorrectionDoc>('correction');

/** What mining stores; epochs are read by id. */
export const data: DataPlan = [
  AUDIT_LOG,
  {
    name: 'accounts',
    indexes: ['dirtyAt', 'leaseHintMs', 'drawnAt', 'forgetAtMs', 'commissionSinceMs'].map((field) => ({
      key: { [field]: 1 },
      sparse: true,
    })),
    schema: ACCOUNT,
  },
  {
    name: 'entries',
    indexes: [{ key: { userId: 1, seq: -1 }, unique: true }, { key: { userId: 1, source: 1, atMs: -1 } }],
    schema: ENTRY,
  },
  {
    name: 'sessions',
    indexes: [{ key: { userId: 1, startedAtMs: -1 } }],
    schema: SESSION,
  },
  { name: 'days', indexes: [], schema: DAY },
  { name: 'issued', indexes: [] },
  { name: 'root_records', indexes: [{ key: { day: 1 } }] },
  {
    name: 'root_tiles',
    indexes: [{ key: { run: 1, n: 1 } }, { key: { run: 1, first: 1 } }, { key: { atMs: 1 } }],
  },
  { name: 'root_heads', indexes: [] },
  { name: 'root_log', indexes: [] },
  {
    name: 'corrections',
    indexes: [{ key: { status: 1, proposedAtMs: -1 } }, { key: { dueAtMs: 1 }, sparse: true }, { key: { userId: 1 } }],
    schema: CORRECTION,
  },
];
