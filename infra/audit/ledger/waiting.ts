import type { Entry, FinishedDay } from '../../../services/mining/ledger/account.js';
import type { SessionRecord } from '../../../services/mining/ledger/session-record.js';
import type { AccountDoc } from '../../../services/mining/store/collections.js';

type Holder = Pick<AccountDoc, 'outbox'>;

/** Entries in the outbox; one that is a document by now may stand here still. */
export const entriesWaiting = ({ outbox }: Holder): Entry[] =>
  outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));

/** Finished days in the outbox. */
export const daysWaiting = ({ outbox }: Holder): FinishedDay[] =>
  outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));

/** Sessions in the outbox that have ended or paused. */
export const sessionsWaiting = ({ outbox }: Holder): SessionRecord[] =>
  outbox.flatMap((item) => (item.kind === 'node' && item.verb !== 'started' ? [item.session] : []));
