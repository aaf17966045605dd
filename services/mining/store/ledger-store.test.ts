import { monitoredUri } from '@cord/kit/testing/command-monitor';
import { migratedStore, randomId, startTestBackend } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import type { Connection, mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { data } from '../data.js';
import { type Account, type Entry, newAccount } from '../ledger/account.js';
import { NO_EPOCHS } from '../ledger/epochs.js';
import type { LedgerStore } from '../ledger/ports.js';
import { contactStep, startStep, stopStep } from '../node/steps.js';
import { ACCOUNTS, type AccountDoc } from './collections.js';
import { createLedgerStore } from './ledger-store.js';
import { drawnAt, readRunning } from './running.js';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

/** Two replicas' stores over one database. */
const backend = forAllTests(() => startTestBackend());
const connections: Connection[] = [];
const stores: LedgerStore[] = [];

beforeAll(async () => {
  const dbName = backend.dbName('mining');
  for (let replica = 0; replica < 2; replica += 1) {
    const uri = monitoredUri(backend.mongodbUri);
    const connection = await migratedStore(uri, dbName, data);
    connections.push(connection);
    stores.push(createLedgerStore(connection));
  }
});
afterAll(async () => {
  for (const connection of connections) await connection.close();
});

/** Stored accounts whose nodes run since noon. */
async function running(count: number): Promise<Account[]> {
  const made = Array.from({ length: count }, () => {
    const account = newAccount(randomId(), NOON_MS - MINUTE_MS, NOON_MS);
    return startStep(account, { sessionId: randomId(), addressHash: null }, { nowMs: NOON_MS, epochs: NO_EPOCHS });
  });
  for (const account of made) await storeOf(0).insert(account);
  return made;
}

const storeOf = (replica: number) => stores[replica] as LedgerStore;
const savedAt = (account: Account, nowMs: number) => contactStep(account, { nowMs, epochs: NO_EPOCHS });
const save = (replica: number, before: Account, nowMs: number) =>
  storeOf(replica).compareAndSet(before, savedAt(before, nowMs), nowMs, null);

test('a save sends only the changed fields of the node, and the stored account is complete', async () => {
  const [started] = await running(1);
  const first = savedAt(started as Account, NOON_MS + MINUTE_MS);
  await storeOf(0).compareAndSet(started as Account, first, NOON_MS + MINUTE_MS, null);
  // Nothing but this test writes a field of what a save leaves as it was.
  const accounts = ACCOUNTS.in(connections[0] as Connection);
  await accounts.updateOne({ _id: first.userId }, { $set: { 'node.startedAtMs': 7 } });
  const second = savedAt(first, NOON_MS + 2 * MINUTE_MS);
  expect(await storeOf(0).compareAndSet(first, second, NOON_MS + 2 * MINUTE_MS, null)).toBe(true);
  const stands = await storeOf(1).read(first.userId);
  expect(stands?.node).toEqual({ ...second.node, startedAtMs: 7 });
  expect([stands?.open, stands?.epoch, stands?.totals]).toEqual([second.open, second.epoch, second.totals]);
});

describe('concurrent saves', () => {
  test('are lost exactly for the accounts that another replica saved before', async () => {
    const before = await running(40);
    const overtaken = before.filter((_, n) => n % 3 === 0);
    await Promise.all(overtaken.map((account) => save(1, account, NOON_MS + 1_000)));
    const written = await Promise.all(before.map((account) => save(0, account, NOON_MS + 2_000)));
    expect(written).toEqual(before.map((account) => !overtaken.includes(account)));
  });

  test('through two replicas have one winner each, and the winner’s state is stored', async () => {
    let before = await running(40);
    for (let round = 1; round <= 10; round += 1) {
      const timesMs = [NOON_MS + round * MINUTE_MS, NOON_MS + round * MINUTE_MS + 500] as const;
      const [first, second] = await Promise.all(
        timesMs.map((nowMs, replica) => Promise.all(before.map((account) => save(replica, account, nowMs)))),
      );
      const next: Account[] = [];
      for (const [n, account] of before.entries()) {
        expect([first?.[n], second?.[n]].sort()).toEqual([false, true]);
        const winner = savedAt(account, first?.[n] ? timesMs[0] : timesMs[1]);
        expect(await storeOf(0).read(account.userId)).toEqual(winner);
        next.push(winner);
      }
      before = next;
    }
  });
});

describe('an outbox', () => {
  const stopped = async () => {
    const [before] = (await running(1)) as [Account];
    const after = stopStep(before, { nowMs: NOON_MS + MINUTE_MS, epochs: NO_EPOCHS });
    expect(await storeOf(0).compareAndSet(before, after, NOON_MS + MINUTE_MS, null)).toBe(true);
    expect(after.outbox.map((item) => item.kind)).toEqual(['node', 'entry', 'node']);
    return after;
  };
  const stored = async ({ userId }: Account) => (await storeOf(1).read(userId)) as Account;

  test('keeps an item that was not relayed or was written since', async () => {
    const account = await stopped();
    const { userId, seq, outbox } = account;
    for (const missing of outbox) {
      const relayed = { items: outbox.filter((item) => item !== missing), announcedSeq: seq };
      expect(await storeOf(0).clearOutbox(userId, seq, relayed)).toBe(false);
    }
    expect(await storeOf(0).clearOutbox(userId, seq, { items: [], announcedSeq: seq })).toBe(false);
    expect(await storeOf(0).clearOutbox(userId, seq - 1n, { items: outbox, announcedSeq: seq })).toBe(false);
    expect(await stored(account)).toEqual(account);
  });

  test('is not emptied while a requested announcement is still due', async () => {
    const account = await stopped();
    const { userId, seq, outbox } = account;
    expect(await storeOf(0).clearOutbox(userId, seq, { items: outbox, announcedSeq: null })).toBe(false);
    expect(await stored(account)).toEqual(account);
  });

  test('is emptied of relayed items, even when some were pulled before', async () => {
    const account = await stopped();
    const { userId, seq, outbox } = account;
    await storeOf(1).pullOutbox(userId, { items: outbox.slice(0, 2), announcedSeq: null });
    expect((await stored(account)).outbox).toEqual(outbox.slice(2));
    expect(await storeOf(0).clearOutbox(userId, seq, { items: outbox, announcedSeq: seq })).toBe(true);
    expect(await stored(account)).toMatchObject({ outbox: [], announceSeq: null });
    expect(await storeOf(0).clearOutbox(userId, seq, { items: [], announcedSeq: null })).toBe(true);
  });
});

describe('entries', () => {
  const userId = randomId();
  const entry = (n: number, amountMicro = 5n): Entry => ({
    key: `task:t${n}:${userId}:once`,
    userId,
    seq: BigInt(n),
    source: 'task',
    amountMicro,
    balanceMicro: BigInt(n) * 5n,
    atMs: NOON_MS,
    reason: 'test',
    n,
    facts: '',
    hash: `${n} of ${amountMicro}`,
  });
  const keys = [1, 2, 3, 4, 5].map((n) => entry(n).key);
  const written = () => Promise.all(keys.map((key) => storeOf(1).findEntry(userId, key)));

  test('are all stored, each once, when an earlier relay wrote some of them', async () => {
    await storeOf(0).putEntries([entry(1), entry(2)]);
    await storeOf(0).putEntries([1, 2, 3].map((n) => entry(n)));
    await storeOf(0).putEntries([1, 2, 3].map((n) => entry(n)));
    expect(await written()).toEqual([entry(1), entry(2), entry(3), null, null]);
  });

  test('that differ from the stored ones are rejected without a change, and the others are written', async () => {
    await expect(storeOf(0).putEntries([entry(3, 6n), entry(4)])).rejects.toThrow('already exists with other content');
    await expect(storeOf(0).putEntries([{ ...entry(5), seq: 4n }])).rejects.toThrow(
      'already exists with other content',
    );
    expect(await written()).toEqual([entry(1), entry(2), entry(3), entry(4), null]);
  });
});

describe('running nodes', () => {
  test('have a sampling number of their own while they run', async () => {
    const idle = newAccount(randomId(), NOON_MS - MINUTE_MS, NOON_MS);
    await storeOf(0).insert(idle);
    const stored = async () => (await ACCOUNTS.in(connections[0] as Connection).findOne({ _id: idle.userId }))?.drawnAt;
    const moment = { nowMs: NOON_MS, epochs: NO_EPOCHS };
    const started = startStep(idle, { sessionId: randomId(), addressHash: null }, moment);
    await storeOf(0).compareAndSet(idle, started, NOON_MS, null);
    expect(await stored()).toBe(drawnAt(idle.userId));
    await storeOf(0).compareAndSet(started, stopStep(started, moment), NOON_MS, null);
    expect(await stored()).toBeUndefined();
  });

  test('are read completely while few, otherwise as a bounded sample that estimates their number', async () => {
    const accounts = connections[0]?.collection('drawn') as unknown as mongo.Collection<AccountDoc>;
    const nowMs = NOON_MS;
    const ids = Array.from({ length: 400 }, (_, n) => n.toString(16).padStart(32, '0'));
    const docOf = (id: string, leftMs: number) => ({
      _id: id,
      drawnAt: drawnAt(id),
      node: { leaseUntilMs: nowMs + leftMs },
      factors: { badge: false },
    });
    // The leases of the last ten are over: the next sweep stops them.
    const docs = ids.map((id, n) => docOf(id, n < 390 ? 1 : 0));
    await accounts.insertMany(docs as AccountDoc[]);
    expect(await readRunning(accounts, { nowMs, from: 0.4 })).toMatchObject({ isWhole: true, running: 390 });
    for (const from of [0, 0.37, 0.99]) {
      const some = await readRunning(accounts, { nowMs, from, most: 200 });
      expect([some.isWhole, some.factors.length > 185, some.factors.length <= 200]).toEqual([false, true, true]);
      expect(Math.abs(some.running - 390)).toBeLessThan(60);
    }
  });
});
