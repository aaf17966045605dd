import { randomBytes } from 'node:crypto';
import { toBase64 } from '@cord/contracts/proof/bytes';
import { readNote, readVkey, signers } from '@cord/contracts/proof/note';
import { readDayRecord } from '@cord/contracts/proof/records';
import { leafNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { rootOfPath } from '@cord/contracts/proof/tree';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import { DAY_MS } from '@cord/contracts/rules/days';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256 } from '../ledger/chain.js';
import { account, FIRST_MS, KEY, ORIGIN, outcomeOf, setUpRoots } from '../test/roots.js';
import { makeRoot } from './job.js';
import { logKey } from './key.js';
import { findRow, placeOf, presentLeaf, rowsOf, TILE_LEAVES } from './leaves.js';
import { pathOf, rootOfTops } from './tree.js';

const { parts, run, put, collection, ending } = setUpRoots();

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
  const vkey = readVkey(sha256, KEY.vkey(ORIGIN));
  const note = readNote(head?.checkpoint ?? '');
  if (!vkey || !note) throw new Error('the log is not signed');
  expect(await signers(NODE_PRIMITIVES, note, [vkey])).toEqual([vkey]);
}

async function expectNothing(): Promise<void> {
  for (const name of ['root_records', 'root_tiles', 'root_heads', 'root_log'])
    expect(await collection(name).countDocuments({}), name).toBe(0);
}

describe('the root of a day', () => {
  test('has a path for every account, in one tile and in many', async () => {
    for (const count of [1, 256, 257, 600]) {
      await collection('accounts').deleteMany({});
      await collection('root_records').deleteMany({});
      await collection('root_heads').deleteMany({});
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

  test('covers the day that ended ten minutes ago, is made once, and omits erased users', async () => {
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

  test('is not made while there is no user, or none from that day', async () => {
    await run();
    await put([account(1, { openedAtMs: FIRST_MS })]);
    await run();
    await expectNothing();
    await run(FIRST_MS + DAY_MS);
    await expectWhole(['2026-11-26']);
  });

  test('is attempted once per process when no user existed on that day', async () => {
    const own = parts();
    const scans = vi.spyOn(own.store, 'accounts');
    await put([account(1, { openedAtMs: FIRST_MS })]);
    for (const ms of [0, 1, DAY_MS - 1]) await run(FIRST_MS + ms, own);
    expect(scans).toHaveBeenCalledTimes(1);
    await run(FIRST_MS + DAY_MS, own);
    await expectWhole(['2026-11-26']);
  });

  test('is not made without the lease', async () => {
    await put([account(1)]);
    await makeRoot(parts(), FIRST_MS, async () => false);
    await expectNothing();
  });

  test('is made once by concurrent replicas', async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await Promise.all([run(), run(), run()]);
    await expectWhole(['2026-11-25']);
    const { store } = parts();
    const made = await collection('root_tiles').distinct('run');
    expect(made).toEqual([(await store.lastRecord())?.run]);
  });
});

describe('a run that ends', () => {
  test.each(['before', 'after'] as const)(
    '%s any of its calls is completed by the next run, on two days',
    async (when) => {
      await put([1, 2, 3].map((n) => account(n)));
      const days = ['2026-11-25', '2026-11-26'];
      for (const [n, day] of days.entries()) {
        const nowMs = FIRST_MS + n * DAY_MS;
        let ended = 0;
        for (let at = 1; ; at += 1) {
          // As before the day, but for what an earlier day has left.
          for (const name of ['root_records', 'root_heads'])
            await collection(name).deleteMany({ _id: { $gte: name === 'root_heads' ? n + 1 : n } } as never);
          const own = ending(at, when);
          const outcome = await outcomeOf(run(nowMs, parts(own.store)));
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
  const set = (n: number, $set: object) =>
    collection('accounts').updateOne({ _id: account(n).userId as never }, { $set });
  beforeEach(async () => {
    await put([1, 2, 3].map((n) => account(n)));
    await run();
  });
  const refused = async (what: RegExp) => {
    await expect(run(SECOND_MS)).rejects.toThrow(what);
    await expectWhole(['2026-11-25']);
  };

  test('when an account has fewer entries than in its last root', async () => {
    await set(3, { 'chain.n': 2 });
    await refused(/has 2 entries, the root of 2026-11-25 has 3/);
  });

  test.each([
    ['another balance', { balanceMicro: 2_001n }],
    ['another head', { 'chain.head': 'x' }],
    ['another salt', { 'chain.salt': toBase64(randomBytes(32)) }],
  ])('when an account with the same entries has %s', async (_, changed) => {
    await set(2, changed);
    await refused(/does not match the root of 2026-11-25/);
  });

  test('when an account is gone', async () => {
    await collection('accounts').deleteOne({ _id: account(1).userId as never });
    await refused(/1 accounts of the root of 2026-11-25 are missing/);
  });

  test('when the key is not the key of the log', async () => {
    await expect(run(SECOND_MS, { ...parts(), keys: [logKey('l'.repeat(64))] })).rejects.toThrow('is not the key');
    expect((await parts().store.lastHead())?._id).toBe(1);
  });

  test('when the stored root of a size differs', async () => {
    await collection('root_heads').insertOne({ _id: 2, root: 'x' } as never);
    await expect(run(SECOND_MS)).rejects.toThrow('does not match its records');
    expect((await parts().store.lastHead())?._id).toBe(1);
  });

  test('under another name: the log keeps its own', async () => {
    await set(1, { 'chain.n': 5, balanceMicro: 9_000n });
    await run(SECOND_MS, { ...parts(), origin: 'other.example/ledger' });
    await expectWhole(['2026-11-25', '2026-11-26']);
  });
});
