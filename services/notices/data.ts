import type { DataPlan } from '@cord/kit/collection';
import { WALKS } from './inbox/epoch-walks.js';
import { EPOCHS } from './inbox/epochs.js';
import { NOTICES } from './inbox/notice.js';
import { PEOPLE } from './inbox/people.js';
import { SUBSCRIPTIONS } from './push/subscriptions.js';

/** The collections of notices. An erasure marks the user first, so that a concurrent write detects it. */
export const data: DataPlan = [PEOPLE, NOTICES, SUBSCRIPTIONS, EPOCHS, WALKS];
