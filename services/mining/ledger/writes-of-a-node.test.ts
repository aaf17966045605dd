import { memoryStore } from '@cord/kit/testing/simulation/memory-collection';
import { expect, test } from 'vitest';
import { contactStep, startStep } from '../node/steps.js';
import { ACCOUNTS } from '../store/collections.js';
import { createLedgerStore } from '../store/ledger-store.js';
import { newAccount } from './account.js';
import { Contacts } from './contacts.js';
import { NO_EPOCHS } from './epochs.js';
import { createLedger } from './ledger.js';
import type { LedgerBus } from './ports.js';
import { commissionStep } from './series.js';

const NOON_MS = Date.UTC(2026, 10, 22, 12, 0, 1);
const userId = 'a'.repeat(32);
const SAVE_MS = 10_000;
const RUN_MS = 50 * 60_000;
/** How often a replica writes the contacts that are due. */
const LOOK_MS = 500;

/** When the friends' commission of each minute is reported, ms into it. */
const REPORT_MS = 26_300;

/** A node that is saved as a page saves it: each save is so late. @returns writes and announcements a minute */
async function perMinute(lateMs: (n: number) => number, hasFriends = false) {
  let nowMs = NOON_MS;
  const counts = { writes: 0, announcements: 0 };
  const isOfAccounts = (name: string) => name === ACCOUNTS.name;
  const store = createLedgerStore(memoryStore((name) => (counts.writes += Number(isOfAccounts(name)))));
  await store.insert(newAccount(userId, 0, NOON_MS));
  const bus: LedgerBus = {
    async publishBalance() {
      counts.announcements += 1;
    },
    publishNode: async () => {},
    withdraw: async () => {},
  };
  const ledger = createLedger({
    store,
    bus,
    nowMs: () => nowMs,
    epochs: () => NO_EPOCHS,
  });
  await ledger.change(userId, (account, at) => startStep(account, { sessionId: 's', addressHash: null }, at));
  await ledger.flush();
  Object.assign(counts, { writes: 0, announcements: 0 });
  const saves = Array.from({ length: RUN_MS / SAVE_MS }, (_, n) => NOON_MS + (n + 1) * SAVE_MS + lateMs(n));
  const looks = Array.from({ length: RUN_MS / LOOK_MS }, (_, n) => NOON_MS + n * LOOK_MS + 250);
  const minutes = RUN_MS / 60_000;
  const reports = Array.from({ length: hasFriends ? minutes : 0 }, (_, n) => NOON_MS + n * 60_000 + REPORT_MS);
  const save = () => ledger.change(userId, contactStep, { contact: true });
  const look = () => ledger.writeContacts('due');
  const report = () => {
    const reported = { totalMicro: BigInt(nowMs - NOON_MS), stepMostMicro: 1_000_000n };
    return ledger.changeLater(userId, (account, at) => commissionStep(account, reported, at));
  };
  const acts = [
    ...saves.map((ms) => ({ ms, act: save })),
    ...looks.map((ms) => ({ ms, act: look })),
    ...reports.map((ms) => ({ ms, act: report })),
  ];
  for (const { ms, act } of acts.sort((a, b) => a.ms - b.ms)) {
    nowMs = ms;
    await act();
    await ledger.flush();
  }
  if (hasFriends)
    expect((await store.read(userId))?.totals.bySource.commission).toBe(BigInt((minutes - 1) * 60_000 + REPORT_MS));
  return { writes: counts.writes / minutes, announcements: counts.announcements / minutes };
}

const EXACT = () => 0;
const LATER_EACH_TIME = (n: number) => n * 3;
const BY_CHANCE = (n: number) => (n * 7_919) % 83;
const LATE_NOW_AND_THEN = (n: number) => ((n * 7_919) % 11 === 0 ? 900 : (n * 7_919) % 23);

test.each([
  ['exactly', EXACT, 2.1],
  ['a little later each time', LATER_EACH_TIME, 2.1],
  ['a little late by chance', BY_CHANCE, 2.1],
  ['late now and then', LATE_NOW_AND_THEN, 2.25],
])(
  'a node saved every ten seconds, %s, is written twice a minute, and each write announces it',
  async (_when, lateMs, most) => {
    const { writes, announcements } = await perMinute(lateMs);
    expect(writes).toBeLessThanOrEqual(most);
    expect(announcements).toBeGreaterThanOrEqual(1.9);
  },
);

test.each([EXACT, LATER_EACH_TIME, LATE_NOW_AND_THEN])(
  'commission reported each minute adds no writes of its own',
  async (lateMs) => {
    const { writes, announcements } = await perMinute(lateMs, true);
    expect(writes).toBeLessThanOrEqual(2.25);
    expect(announcements).toBeGreaterThanOrEqual(1.9);
  },
);

test.each([
  ['23:58:59', true],
  ['23:59:10', false],
  ['23:59:59', false],
])(
  'commission reported at %s counts for this day: a write that would wait past midnight is made at once',
  (time, waits) => {
    const atMs = Date.parse(`2026-11-22T${time}Z`);
    const account = startStep(
      newAccount(userId, 0, atMs),
      { sessionId: 's', addressHash: null },
      {
        nowMs: atMs,
        epochs: NO_EPOCHS,
      },
    );
    expect(new Contacts(10, 30_000).defer(account, (same) => same, atMs)).toBe(waits);
  },
);
