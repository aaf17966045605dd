import { AUDIT_LOG } from '@cord/kit/audit-log';
import type { DataPlan } from '@cord/kit/collection';
import { ADDRESSES } from './anticheat/addresses.js';
import { ASSESSMENTS } from './anticheat/assessments.js';
import { MINED_ADDRESSES } from './anticheat/mined.js';
import { CLIENT_ERRORS } from './store/client-errors.js';
import { ERASURES, TOMBSTONES } from './store/erasures.js';
import { FACTS } from './store/facts.js';
import { REVOCATIONS } from './store/revocations.js';
import { SESSIONS } from './store/sessions.js';
import { SIGNING_KEYS } from './store/signing-keys.js';
import { SUPPORT_REQUESTS } from './store/support.js';
import { OAUTH_TRANSACTIONS } from './store/transactions.js';
import { USERS } from './store/users.js';
import { SWITCHES } from './switches/store.js';

/** The collections of auth. Erasures are published first, so that no service stores an erased user again. */
export const data: DataPlan = [
  ...[AUDIT_LOG, ERASURES, TOMBSTONES, USERS, FACTS, SESSIONS, OAUTH_TRANSACTIONS, REVOCATIONS],
  ...[SUPPORT_REQUESTS, CLIENT_ERRORS, SIGNING_KEYS, SWITCHES, ASSESSMENTS, ADDRESSES, MINED_ADDRESSES],
];
