import type { Entry, FinishedDay } from '../../../services/mining/ledger/account.js';
import type { SessionRecord } from '../../../services/mining/ledger/session-record.js';
import type { AccountDoc } from '../../../services/mining/store/collections.js';

type Holder = Pick<AccountDoc, 'outbox'>;

/** Returns the entries in the outbox; an entry that was just written may still be in it. */
export const entriesWaiting = ({ outbox }: Holder): Entry[] =>
  outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));

/** Returns the finished days in the outbox. */
export const daysWaiting = ({ outbox }: Holder): FinishedDay[] =>
  outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));

/** Returns the ended or paused sessions in the outbox. */
export const sessionsWaiting = ({ outbox }: Holder): SessionRecord[] =>
  outbox.flatMap((item) => (item.kind === 'node' && item.verb !== 'started' ? [item.session] : []));
