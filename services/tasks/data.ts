import { AUDIT_LOG, type DataPlan, OUTBOX_INDEXES, PROMISE_INDEXES } from '@cord/kit/migration/plan';
import { TASK } from './catalogue.js';
import { EXCUSED } from './excused.js';
import { CLAIMED, RECORD, RECORDS, STREAK, STREAKS } from './store.js';

/** What tasks stores. */
export const data: DataPlan = [
  AUDIT_LOG,
  { name: RECORDS, indexes: [...OUTBOX_INDEXES, ...PROMISE_INDEXES], schema: RECORD },
  { name: STREAKS, indexes: [...OUTBOX_INDEXES, ...PROMISE_INDEXES], schema: STREAK },
  { name: 'catalogue', indexes: [{ key: { position: 1 } }], schema: TASK },
  { name: CLAIMED, indexes: [] },
  { name: EXCUSED, indexes: [] },
];
