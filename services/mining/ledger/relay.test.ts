import { memoryStore } from '@cord/kit/testing/simulation/memory-collection';
import { expect, test } from 'vitest';
import { ACCOUNTS } from '../store/collections.js';
import { createLedgerStore } from '../store/ledger-store.js';
import { type Account, type Entry, newAccount, type OutboxItem } from './account.js';
import { accountWrite } from './account-write.js';
import { creditStep } from './credit.js';
import { NO_EPOCHS } from './epochs.js';
import { eraseStep } from './factors.js';
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
async function busyStore(writes: number, begins = credited(newAccount(userId, NOON_MS, NOON_MS), 0)) {
  const kept = createLedgerStore(memoryStore());
  await kept.insert(begins);
  const account = async () => (await kept.read(userId)) as Account;
  const entries: Entry[] = [];
  let written = 0;
  const store: LedgerStore = {
    ...kept,
    async putEntries(those) {
      await kept.putEntries(those);
      entries.push(...those);
      if (written === writes) return;
      written += 1;
      const before = await account();
      await kept.compareAndSet(before, credited(before, written), NOON_MS, null);
    },
  };
  return { store, entries, account };
}

const bus: LedgerBus = { publishNode: async () => {}, publishBalance: async () => {}, withdraw: async () => {} };
const note = async () => {};

test.each([1, 2, 8])(
  'a relay that succeeds in the last of %i rounds returns the seq it has relayed',
  async (rounds) => {
    const { store, entries, account } = await busyStore(rounds - 1);
    const seq = await relayAccount({ store, bus, note, rounds }, userId);
    expect(seq).toBe((await account()).seq);
    expect(await account()).toMatchObject({ outbox: [], announceSeq: null });
    expect(entries).toHaveLength(rounds);
  },
);

test('while the bus accepts nothing, entries are written and leave the outbox, and events to publish stay', async () => {
  const node = {
    kind: 'node',
    key: 'node',
    seq: 3n,
    verb: 'started',
    atMs: NOON_MS,
    session: {},
  } as unknown as OutboxItem;
  const begins = credited(newAccount(userId, NOON_MS, NOON_MS), 0);
  const { store, entries, account } = await busyStore(0, { ...begins, outbox: [...begins.outbox, node] });
  const full = new Error('maximum bytes exceeded');
  const fullBus: LedgerBus = {
    ...bus,
    publishNode: () => Promise.reject(full),
    publishBalance: () => Promise.reject(full),
  };
  const { announceSeq } = await account();
  await expect(relayAccount({ store, bus: fullBus, note, rounds: 8 }, userId)).rejects.toThrow(full);
  expect(entries.map(({ key }) => key)).toEqual([`task:t0:${userId}:once`]);
  expect(await account()).toMatchObject({ outbox: [node], announceSeq });
  expect(announceSeq).not.toBeNull();
});

/** The account erased, with what its erasure left in the outbox. */
const erased = (account: Account): Account => eraseStep(account, { nowMs: NOON_MS + 1_000, epochs: NO_EPOCHS });

/** A bus whose stream is a list of what stands there. */
function streamOfOne(onPublish: () => Promise<void>) {
  const stream: string[] = [];
  const publishes = async (what: string) => {
    await onPublish();
    stream.push(what);
  };
  const stands: LedgerBus = {
    publishNode: ({ key }) => publishes(key),
    publishBalance: ({ seq }) => publishes(`balance ${seq}`),
    withdraw: async () => void stream.splice(0),
  };
  return { bus: stands, stream };
}

test('events published for a user who is erased meanwhile are withdrawn, and the sweeper checks once more', async () => {
  const accounts = memoryStore();
  const store = createLedgerStore(accounts);
  await store.insert(credited(newAccount(userId, NOON_MS, NOON_MS), 0));
  const stands = async () => (await store.read(userId)) as Account;
  const isMarked = async () => (await ACCOUNTS.in(accounts).findOne({ _id: userId }))?.dirtyAt !== undefined;
  const { bus: live, stream } = streamOfOne(async () => {
    const before = await stands();
    if (before.erasedAtMs === null) await store.compareAndSet(before, erased(before), NOON_MS, null);
  });
  expect(await relayAccount({ store, bus: live, note, rounds: 8 }, userId)).toBeNull();
  expect({ stream, isMarked: await isMarked() }).toEqual({ stream: [], isMarked: true });

  stream.push('published late, by a relay elsewhere');
  expect(await relayAccount({ store, bus: live, note, rounds: 1 }, userId, await stands())).toBeNull();
  stream.push('published later still');
  expect(await isMarked()).toBe(true);
  expect(await relayAccount({ store, bus: live, note, rounds: 1 }, userId)).toBe((await stands()).seq);
  expect({ stream, isMarked: await isMarked() }).toEqual({ stream: [], isMarked: false });
});

test('an erasure marks the account for the sweeper, even with an empty outbox', () => {
  const before = newAccount(userId, NOON_MS, NOON_MS);
  const after = erased(before);
  expect(after.outbox).toEqual([]);
  expect(accountWrite(before, after, NOON_MS, null).mark).toEqual({ kind: 'anew', atMs: NOON_MS });
});

test('the reason of a waiting correction is not written once its user is erased', async () => {
  const correction = {
    userId,
    key: `correction:${userId}:${'1'.repeat(32)}`,
    source: 'correction',
    amountMicro: 5n,
    reason: 'of a person',
  } as const;
  const at = { nowMs: NOON_MS, epochs: NO_EPOCHS };
  const account = erased(creditStep(newAccount(userId, NOON_MS, NOON_MS), correction, at));
  const { store, entries } = await busyStore(0, account);
  await relayAccount({ store, bus, note, rounds: 1 }, userId);
  expect(entries.map(({ reason }) => reason)).toEqual(['']);
});
