import { AUDIT_LOG, CREDIT_INDEXES, type DataPlan } from '@cord/kit/migration/plan';
import { TASK } from './catalogue.js';
import { EXCUSED } from './excused.js';
import { CLAIMED, RECORD, RECORDS, STREAK, STREAKS } from './store.js';

/** What tasks stores. */
export const data: DataPlan = [
  AUDIT_LOG,
  { name: RECORDS, indexes: CREDIT_INDEXES, schema: RECORD },
  { name: STREAKS, indexes: CREDIT_INDEXES, schema: STREAK },
  { name: 'catalogue', indexes: [{ key: { position: 1 } }], schema: TASK },
  { name: CLAIMED, indexes: [] },
  { name: EXCUSED, indexes: [] },
];
