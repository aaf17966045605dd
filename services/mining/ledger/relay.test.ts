import { expect, test } from 'vitest';
import { type Account, newAccount, type OutboxItem } from './account.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import type { LedgerBus, LedgerStore } from './ports.js';
import { relayAccount } from './relay.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const userId = '0'.repeat(32);

/** The account with one more credit than before. */
function credited(account: Account, n: number): Account {
  const credit = { userId, key: `task:t${n}:${userId}:once`, source: 'task', amountMicro: 5n, reason: '' } as const;
  return creditStep(account, credit, { nowMs: NOON_MS + n, epochs: NO_EPOCHS });
}

/** A store in which another credit is written between the rounds of a relay, as often as given. */
function busyStore(writes: number, begins = credited(newAccount(userId, NOON_MS, NOON_MS), 0)) {
  let stands = begins;
  let written = 0;
  const entries = new Set<string>();
  const store = {
    read: async () => stands,
    putEntries: async (those) => {
      for (const entry of those) entries.add(entry.key);
      if (written < writes) {
        written += 1;
        stands = credited(stands, written);
      }
    },
    putSessions: async () => {},
    clearOutbox: async (_, seq, { items }) => {
      if (stands.seq !== seq || stands.outbox.some((there) => !items.some((item) => item.seq === there.seq)))
        return false;
      stands = { ...stands, outbox: [], announceSeq: null };
      return true;
    },
    pullOutbox: async (_, { items }) => {
      stands = { ...stands, outbox: stands.outbox.filter((there) => !items.some((item) => item.seq === there.seq)) };
    },
  } satisfies Partial<LedgerStore>;
  return { store: store as unknown as LedgerStore, entries, account: () => stands };
}

const bus: LedgerBus = { publishNode: async () => {}, publishBalance: async () => {} };
const note = async () => {};

for (const rounds of [1, 2, 8]) {
  test(`a relay that loses each of its ${rounds} rounds claims nothing, and what it has not relayed still waits`, async () => {
    const { store, entries, account } = busyStore(Number.POSITIVE_INFINITY);
    const seq = await relayAccount({ store, bus, note, rounds }, userId);
    expect(seq).toBeNull();
    expect([...entries]).toHaveLength(rounds);
    expect(account().outbox.map((item) => item.key)).toEqual([`task:t${rounds}:${userId}:once`]);
  });

  test(`one that wins the last of ${rounds} rounds answers the seq it has relayed`, async () => {
    const { store, entries, account } = busyStore(rounds - 1);
    const seq = await relayAccount({ store, bus, note, rounds }, userId);
    expect(seq).toBe(account().seq);
    expect(account()).toMatchObject({ outbox: [], announceSeq: null });
    expect([...entries]).toHaveLength(rounds);
  });
}

test('a bus that takes nothing keeps entries from piling up: written, they leave the outbox, and what is to be published stays', async () => {
  const node = {
    kind: 'node',
    key: 'node',
    seq: 3n,
    verb: 'started',
    atMs: NOON_MS,
    session: {},
  } as unknown as OutboxItem;
  const begins = credited(newAccount(userId, NOON_MS, NOON_MS), 0);
  const { store, entries, account } = busyStore(0, { ...begins, outbox: [...begins.outbox, node] });
  const full = new Error('maximum bytes exceeded');
  const fullBus: LedgerBus = { publishNode: () => Promise.reject(full), publishBalance: () => Promise.reject(full) };
  const announceSeq = account().announceSeq;
  await expect(relayAccount({ store, bus: fullBus, note, rounds: 8 }, userId)).rejects.toThrow(full);
  expect([...entries]).toEqual([`task:t0:${userId}:once`]);
  expect(account()).toMatchObject({ outbox: [node], announceSeq });
  expect(announceSeq).not.toBeNull();
});
