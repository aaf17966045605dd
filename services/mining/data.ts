import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { ROOT_HEADS, ROOT_LOG, ROOT_RECORDS, ROOT_TILES } from './roots/store.js';
import { AUDITS } from './store/audit-figures.js';
import { BACKUPS } from './store/backup-age.js';
import { ACCOUNTS, CORRECTIONS, DAYS, ENTRIES, EPOCHS, ISSUED, SESSIONS } from './store/collections.js';

/** The collections of mining. */
export const data: DataPlan = [
  ...[AUDIT_LOG, ACCOUNTS, ENTRIES, SESSIONS, DAYS, ISSUED, EPOCHS, CORRECTIONS],
  ...[ROOT_RECORDS, ROOT_TILES, ROOT_HEADS, ROOT_LOG, AUDITS, BACKUPS],
];
