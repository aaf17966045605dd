import { SAMPLE_NOW_MS } from '@cord/sdk/testing';
import type { LedgerEntry, LedgerPage } from './entry-view';

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** An entry from `hoursAgo`, numbered by seq. */
export function entry(seq: number, hoursAgo: number, change: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `mining:${seq}`,
    seq: String(seq),
    at: iso(SAMPLE_NOW_MS - hoursAgo * HOUR_MS),
    source: 'mining',
    amount: 115.5,
    balance: 48_000 + seq,
    reason: 'Mining at 1.925 CORD/min',
    n: String(seq),
    facts: '',
    hash: '',
    ...change,
  };
}

export const FIRST_PAGE: LedgerPage = {
  entries: [
    entry(9, 0.1),
    entry(8, 2, { source: 'checkin', amount: 70, reason: 'Daily check-in, day 4 of the streak' }),
    entry(7, 3, { source: 'task', amount: 122.5, reason: 'Run your node for an hour' }),
    entry(6, 26, { source: 'commission', amount: 12.345678, reason: 'Referral commission' }),
    entry(5, 27),
  ],
  open: 1.925,
  nextCursor: '5',
};

export const LAST_PAGE: LedgerPage = {
  entries: [entry(1, 900, { source: 'welcome', amount: 870, balance: 870, reason: 'Welcome bonus' })],
  open: 1.925,
  nextCursor: null,
};

export const EMPTY_PAGE: LedgerPage = { entries: [], open: 0, nextCursor: null };
