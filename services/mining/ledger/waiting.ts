import type { Account, Entry, FinishedDay } from './account.js';
import type { SessionRecord } from './session-record.js';

type Holder = Pick<Account, 'outbox'>;

/** Entries that wait for the relay; one that is a document by now may stand here still. */
export function entriesWaiting({ outbox }: Holder): Entry[] {
  return outbox.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
}

/** Days that are over and wait for the relay. */
export function daysWaiting({ outbox }: Holder): FinishedDay[] {
  return outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));
}

/** Sessions that have ended or paused and wait for the relay. */
export function sessionsWaiting({ outbox }: Holder): SessionRecord[] {
  return outbox.flatMap((item) => (item.kind === 'node' && item.verb !== 'started' ? [item.session] : []));
}

/** Entries that wait and entries that were read from the store, each once, the newest first. */
export function newestFirst(waiting: readonly Entry[], written: readonly Entry[]): Entry[] {
  const once = new Map([...waiting, ...written].map((entry) => [entry.key, entry]));
  return [...once.values()].sort((a, b) => (a.seq > b.seq ? -1 : 1));
}
