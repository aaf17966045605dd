import { randomBytes, randomUUID } from 'node:crypto';
import { toBase64 } from '@cord/contracts/proof/bytes';
import { rotationFault } from '@cord/contracts/proof/history';
import { readNote, readVkey, signers, vkeyOf } from '@cord/contracts/proof/note';
import { readDayRecord, readKeyRecord } from '@cord/contracts/proof/records';
import { leafNode, type SumNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { levels, pathIn, rootOf, rootOfPath } from '@cord/contracts/proof/tree';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { startTestBackend, type TestBackend } from '@cord/kit/testing/index';
import { type Connection, createConnection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, newAccount } from '../ledger/account.js';
import { sha256 } from '../ledger/chain.js';
import { createLedgerStore } from '../store/ledger-store.js';
import { defineModels } from '../store/models.js';
import { makeRoot, type RootParts } from './job.js';
import { logKey } from './key.js';
import { findRow, placeOf, presentLeaf, rowsOf, TILE_LEAVES } from './leaves.js';
import { createRootStore, type RootStore } from './store.js';
import { pathOf, rootOfTops, topOf } from './tree.js';

const FIRST_MS = Date.UTC(2026, 10, 26, 0, 10);
const ORIGIN = 'cord.example/ledger';
const key = logKey('k'.repeat(64));

let backend: TestBackend;
let connection: Connection;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend?.stop());
beforeEach(async () => {
  const dbName = backend.dbName(`roots_${randomUUID().slice(0, 8)}`);
  connection = await createConnection(backend.mongodbUri, { dbName, useBigInt64: true }).asPromise();
  return async () => {
    await connection.dropDatabase();
    await connection.close();
  };
});

/** An account with entries that come to a sum. */
const account = (n: number, changes: Partial<Account> = {}): Account => ({
  ...newAccount(n.toString(16).padStart(32, '0'), 0, FIRST_MS - DAY_MS),
  balanceMicro: BigInt(n) * 1_000n,
  chain: { n, head: toBase64(sha256(Buffer.from([n % 256]))), salt: toBase64(randomBytes(32)) },
  ...changes,
});
async function put(accounts: readonly Account[]): Promise<void> {
  const store = createLedgerStore(defineModels(connection));
  await Promise.all(accounts.map((one) => store.insert(one)));
}
const accountsOf = () => connection.collection('accounts');
const parts = (store: RootStore = createRootStore(connection)): RootParts => ({
  ...{ store, keys: [key], origin: ORIGIN, rules: () => toBase64(sha256(Buffer.from('rules'))) },
  verifier: toBase64(sha256(Buffer.from('verifier'))),
});
const run = (nowMs = FIRST_MS, own = parts()) => makeRoot(own, nowMs, async () => true);

/** Whether what stands in the store is one whole root, signed, of each of some days. */
async function expectWhole(days: readonly string[]): Promise<void> {
  const { store } = parts();
  const records = await store.records();
  expect(records.map(({ day }) => day)).toEqual(days);
  for (const { _id, text, run: made } of records) {
    const top = rootOfTops(await store.tops(made));
    expect(readDayRecord(text)).toMatchObject({ root: toBase64(top.hash), total: top.sum });
    expect(await store.headOf(_id + 1)).toMatchObject({ root: expect.any(String) });
  }
  const head = await store.lastHead();
  expect(head?._id).toBe(days.length);
  const vkey = readVkey(sha256, key.vkey(ORIGIN));
  const note = readNote(head?.checkpoint ?? '');
  if (!vkey || !note) throw new Error('the log is not signed');
  expect(await signers(NODE_PRIMITIVES, note, [vkey])).toEqual([vkey]);
}

describe('the root of a day', () => {
  test('has a path for every account, in one tile and in many', async () => {
    for (const count of [1, 256, 257, 600]) {
      await accountsOf().deleteMany({});
      await connection.collection('root_records').deleteMany({});
      await connection.collection('root_heads').deleteMany({});
      await put(Array.from({ length: count }, (_, n) => account(n + 1)));
      const own = parts();
      await run(FIRST_MS, own);
      const record = await own.store.lastRecord();
      const day = readDayRecord(record?.text ?? '');
      if (!record || !day) throw new Error('there is no root');
      expect(day.accounts).toBe(count);
      const tops = await own.store.tops(record.run);
      for await (const one of own.store.accounts()) {
        const place = placeOf(Buffer.from(record.shuffle, 'base64'), one._id);
        const tile = await own.store.tileWith(record.run, place);
        const found = tile && findRow(tile.rows, place);
        if (!tile || !found) throw new Error('the account has no leaf');
        const index = tile.n * TILE_LEAVES + found.at;
        const nodes = rowsOf(tile.rows).map(({ node }) => node);
        const leaf = leafNode(sha256, presentLeaf(day.day, one));
        const top = rootOfPath(leaf, index, count, pathOf(index, nodes, tops), sumJoin(sha256));
        expect([top && toBase64(top.hash), top?.sum]).toEqual([day.root, day.total]);
      }
    }
  });

  test('is of the day that ended ten minutes ago, once, and leaves out who is erased', async () => {
    await put([account(1), account(2), account(3, { erasedAtMs: 1 })]);
    await run(FIRST_MS - 1);
    await expectNothing();
    await run();
    await run();
    await run(FIRST_MS + DAY_MS - 1);
    await expectWhole(['2026-11-25']);
    expect(readDayRecord((await parts().store.lastRecord())?.text ?? '')).toMatchObject({ accounts: 2, total: 3_000n });
    // Days on which nothing ran have no root that was made up afterwards.
    await run(FIRST_MS + 3 * DAY_MS);
    await expectWhole(['2026-11-25', '2026-11-28']);
  });

  test('is none while there is nobody, or nobody was there on the day', async () => {
    await run();
    await put([account(1, { openedAtMs: FIRST_MS })]);
    await run();
    await expectNothing();
    await run(FIRST_MS + DAY_MS);
    await expectWhole(['2026-11-26']);
  });

  test('is not made without the lease', async () => {
    await put([account(1)]);
    await makeRoot(parts(), FIRST_MS, async () => false);
    await expectNothing();
  });

  test('is one where two replicas make it at once', async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await Promise.all([run(), run(), run()]);
    await expectWhole(['2026-11-25']);
    const { store } = parts();
    const made = await connection.collection('root_tiles').distinct('run');
    expect(made).toEqual([(await store.lastRecord())?.run]);
  });
});

async function expectNothing(): Promise<void> {
  for (const name of ['root_records', 'root_tiles', 'root_heads', 'root_log'])
    expect(await connection.collection(name).countDocuments({}), name).toBe(0);
}

/** The store of a process that ends at its n-th call: before the call has its effect, or after it. */
function ending(at: number, when: 'before' | 'after'): { store: RootStore; calls: () => number } {
  let calls = 0;
  const store = Object.fromEntries(
    Object.entries(createRootStore(connection)).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        calls += 1;
        const isLast = calls === at;
        if (calls > at || (isLast && when === 'before')) throw new Error('ended');
        const done = (method as (...given: unknown[]) => unknown)(...args);
        if (!isLast) return done;
        if (name === 'accounts') throw new Error('ended');
        return Promise.resolve(done).then(() => {
          throw new Error('ended');
        });
      },
    ]),
  ) as unknown as RootStore;
  return { store, calls: () => calls };
}

describe('a run that ends', () => {
  test.each(['before', 'after'] as const)(
    '%s any of its calls is made up for by the next, on two days',
    async (when) => {
      await put([1, 2, 3].map((n) => account(n)));
      const days = ['2026-11-25', '2026-11-26'];
      for (const [n, day] of days.entries()) {
        const nowMs = FIRST_MS + n * DAY_MS;
        let ended = 0;
        for (let at = 1; ; at += 1) {
          // As before the day, but for what an earlier day has left.
          for (const name of ['root_records', 'root_heads'])
            await connection.collection(name).deleteMany({ _id: { $gte: name === 'root_heads' ? n + 1 : n } } as never);
          const own = ending(at, when);
          const outcome = await run(nowMs, parts(own.store)).then(
            () => 'whole',
            (error: Error) => error.message,
          );
          await run(nowMs);
          await expectWhole(days.slice(0, n + 1));
          if (outcome === 'whole') break;
          expect(outcome).toBe('ended');
          ended += 1;
        }
        expect(ended, day).toBeGreaterThan(8);
      }
    },
  );
});

describe('nothing is published', () => {
  const SECOND_MS = FIRST_MS + DAY_MS;
  const set = (n: number, $set: object) => accountsOf().updateOne({ _id: account(n).userId as never }, { $set });
  beforeEach(async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await run();
  });
  const refused = async (what: RegExp) => {
    await expect(run(SECOND_MS)).rejects.toThrow(what);
    await expectWhole(['2026-11-25']);
  };

  test('where an account has fewer entries than its last root', async () => {
    await set(3, { 'chain.n': 2 });
    await refused(/has 2 entries, the root of 2026-11-25 has 3/);
  });

  test.each([
    ['another balance', { balanceMicro: 2_001n }],
    ['another head', { 'chain.head': 'x' }],
    ['another salt', { 'chain.salt': toBase64(randomBytes(32)) }],
  ])('where an account with the same entries has %s', async (_, changed) => {
    await set(2, changed);
    await refused(/is not what the root of 2026-11-25 says/);
  });

  test('where an account is gone', async () => {
    await accountsOf().deleteOne({ _id: account(1).userId as never });
    await refused(/1 accounts of the root of 2026-11-25 are gone/);
  });

  test('that another key would sign', async () => {
    await expect(run(SECOND_MS, { ...parts(), keys: [logKey('l'.repeat(64))] })).rejects.toThrow('is not the key');
    expect((await parts().store.lastHead())?._id).toBe(1);
  });

  test('where the stored root of a size is another one', async () => {
    await connection.collection('root_heads').insertOne({ _id: 2, root: 'x' } as never);
    await expect(run(SECOND_MS)).rejects.toThrow('has another root than its records make');
    expect((await parts().store.lastHead())?._id).toBe(1);
  });

  test('anew under another name: the log keeps its own', async () => {
    await set(1, { 'chain.n': 5, balanceMicro: 9_000n });
    await run(SECOND_MS, { ...parts(), origin: 'other.example/ledger' });
    await expectWhole(['2026-11-25', '2026-11-26']);
  });
});

describe('a new key', () => {
  const next = logKey('n'.repeat(64));
  const third = logKey('t'.repeat(64));
  const rotating = (own: RootStore = createRootStore(connection)) => ({ ...parts(own), keys: [next, key] });
  const signedBy = async (size: number, keys: readonly ReturnType<typeof logKey>[]) => {
    const note = readNote((await parts().store.headOf(size))?.checkpoint ?? '');
    const vkeys = [key, next, third].map((one) => readVkey(sha256, one.vkey(ORIGIN)));
    if (!note || !vkeys.every((vkey) => vkey !== null)) throw new Error('there is no such checkpoint');
    const expected = keys.map((one) => one.vkey(ORIGIN));
    const found = (await signers(NODE_PRIMITIVES, note, vkeys)) || [];
    expect(found.map((one) => vkeyOf(sha256, one.name, one.key)).sort()).toEqual(expected.sort());
  };
  beforeEach(async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await run();
  });

  test('has a record that both keys sign, and both sign for thirty days', async () => {
    await run(FIRST_MS + 1, rotating());
    await run(FIRST_MS + 2, rotating());
    const records = await parts().store.records();
    expect(records.map(({ day }) => day)).toEqual(['2026-11-25', '']);
    const record = { vkey: next.vkey(ORIGIN), from: 2 };
    expect(readKeyRecord(records[1]?.text ?? '')).toEqual(record);
    await signedBy(1, [key]);
    await signedBy(2, [key, next]);
    const signed = (await parts().store.headOf(2))?.checkpoint ?? '';
    expect(await rotationFault(NODE_PRIMITIVES, signed, key.vkey(ORIGIN), next.vkey(ORIGIN))).toBeNull();
    await run(FIRST_MS + 29 * DAY_MS, rotating());
    await signedBy(3, [key, next]);
    await run(FIRST_MS + 31 * DAY_MS, rotating());
    await signedBy(4, [next]);
    // Then the former one may go.
    await run(FIRST_MS + 32 * DAY_MS, { ...parts(), keys: [next] });
    await signedBy(5, [next]);
    expect((await parts().store.lastRecord())?.day).toBe('2026-12-27');
  });

  test('comes with a day that is due, before it', async () => {
    await run(FIRST_MS + DAY_MS, rotating());
    expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '', '2026-11-26']);
    await signedBy(2, [key, next]);
    await signedBy(3, [key, next]);
  });

  test('is refused without the former one, and a former one does not come back', async () => {
    await expect(run(FIRST_MS + 1, { ...parts(), keys: [next] })).rejects.toThrow('does not vouch for it');
    await expect(run(FIRST_MS + 1, { ...parts(), keys: [next, third] })).rejects.toThrow('does not vouch for it');
    expect(await parts().store.size()).toBe(1);
    await run(FIRST_MS + 1, rotating());
    await expect(run(FIRST_MS + DAY_MS)).rejects.toThrow('does not vouch for it');
    await expect(run(FIRST_MS + DAY_MS, { ...parts(), keys: [key, next] })).rejects.toThrow('does not vouch for it');
    expect(await parts().store.size()).toBe(2);
    await run(FIRST_MS + DAY_MS, { ...parts(), keys: [third, next] });
    await signedBy(3, [next, third]);
    await signedBy(4, [next, third]);
  });

  test.each(['before', 'after'] as const)('is added once where a run ends %s any of its calls', async (when) => {
    for (let at = 1; ; at += 1) {
      for (const [name, least] of [
        ['root_records', 1],
        ['root_heads', 2],
      ] as const)
        await connection.collection(name).deleteMany({ _id: { $gte: least } } as never);
      const own = ending(at, when);
      const outcome = await run(FIRST_MS + DAY_MS, rotating(own.store)).then(
        () => 'whole',
        (error: Error) => error.message,
      );
      await run(FIRST_MS + DAY_MS, rotating());
      expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '', '2026-11-26']);
      await signedBy(2, [key, next]);
      await signedBy(3, [key, next]);
      if (outcome === 'whole') break;
      expect(outcome).toBe('ended');
    }
  });

  test('is added once by replicas that find it at once', async () => {
    await Promise.all([1, 2, 3].map(() => run(FIRST_MS + 1, rotating()).catch(() => undefined)));
    await run(FIRST_MS + 2, rotating());
    expect((await parts().store.records()).map(({ day }) => day)).toEqual(['2026-11-25', '']);
    await signedBy(2, [key, next]);
  });
});

test('a path through tiles is the path of the whole tree', () => {
  const nodes = Array.from(
    { length: 1_000 },
    (_, n): SumNode => ({ sum: BigInt(n), hash: sha256(Buffer.from(`${n}`)) }),
  );
  const join = sumJoin(sha256);
  for (const count of [1, 255, 256, 257, 511, 512, 513, 1_000]) {
    const leaves = nodes.slice(0, count);
    const tiles = Array.from({ length: Math.ceil(count / TILE_LEAVES) }, (_, n) =>
      leaves.slice(n * TILE_LEAVES, (n + 1) * TILE_LEAVES),
    );
    const tops = tiles.map(topOf);
    const shown = ({ sum, hash }: SumNode) => `${sum} ${toBase64(hash)}`;
    expect(shown(rootOfTops(tops))).toBe(shown(rootOf(leaves, join)));
    const tree = levels(leaves, join);
    for (const index of [0, 1, 100, 254, 255, 256, 511, 512, 999].filter((at) => at < count))
      expect(pathOf(index, tiles[Math.floor(index / TILE_LEAVES)] ?? [], tops).map(shown)).toEqual(
        pathIn(tree, index).map(shown),
      );
  }
});
