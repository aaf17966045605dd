import type { Account, Entry, FinishedDay } from './account.js';
import type { SessionRecord } from './session-record.js';

type Holder = Pick<Account, 'outbox'>;

/** Returns the entries in the outbox; some may already be stored documents. */
export function entriesWaiting({ outbox }: Holder): Entry[] {
  return outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
}

/** Returns the finished days in the outbox. */
export function daysWaiting({ outbox }: Holder): FinishedDay[] {
  return outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));
}

/** Returns the ended and paused sessions in the outbox. */
export function sessionsWaiting({ outbox }: Holder): SessionRecord[] {
  return outbox.flatMap((item) => (item.kind === 'node' && item.verb !== 'started' ? [item.session] : []));
}

/** Merges entries from the outbox and from the store, without duplicates, newest first. */
export function newestFirst(waiting: readonly Entry[], written: readonly Entry[]): Entry[] {
  const once = new Map([...waiting, ...written].map((entry) => [entry.key, entry]));
  return [...once.values()].sort((a, b) => (a.seq > b.seq ? -1 : 1));
}
