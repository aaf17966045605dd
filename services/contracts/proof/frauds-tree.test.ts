import { describe, expect, test } from 'vitest';
import { toBase64, utf8 } from './bytes.js';
import { readDayRecord } from './records.js';
import { failure, made, proof, remade, sha256 } from './test/frauds.js';
import { dayOf, leafOf, logOf } from './test/sample.js';
import type { ProofFile } from './verify.js';

/* Frauds that an operator could try with the tree of a day. */

describe('the verifier finds in the tree', () => {
  test('a leaf of another account', async () => {
    const other = made.proofOf(1);
    expect(await failure(proof(() => ({ leaf: other.leaf, index: other.index, path: other.path })))).toMatchObject({
      part: 'leaf',
    });
    expect(await failure(other, { account: made.ids[2] as string })).toMatchObject({ part: 'file' });
  });

  test('one leaf for two users with the same sum', async () => {
    const [one, two] = [made.proofOf(0), made.proofOf(3)];
    expect(one.leaf.sum).toBe(two.leaf.sum);
    expect(await failure({ ...two, leaf: one.leaf, index: one.index, path: one.path })).toMatchObject({ part: 'leaf' });
    const renamed = { ...one.leaf, account: two.account, head: two.leaf.head };
    expect(await failure({ ...two, leaf: renamed, index: one.index, path: one.path })).toMatchObject({ part: 'tree' });
  });

  /* With a tree, a record and a signature made to match. */
  test.each([
    ['sum', '1'],
    ['n', '11'],
    ['head', toBase64(sha256(utf8('')))],
    ['account', made.ids[1] as string],
  ])('another %s in the leaf', async (field, to) => {
    const own = proof();
    expect(await failure(remade(own, { ...own.leaf, [field]: to }))).toMatchObject({ part: 'leaf' });
  });

  test('another number of accounts, another total or another root in the record', async () => {
    const record = made.day.record;
    for (const [from, to] of [
      ['accounts 7', 'accounts 8'],
      ['accounts 7', 'accounts 6'],
      ['total ', 'total 1'],
      ['root ', 'root A'],
      ['erased 0', 'erased 1'],
      ['erased 0\n', 'erased 0\n\n'],
      ['accounts 7', 'accounts 07'],
    ] as const)
      expect((await failure(proof(() => ({ record: record.replace(from, to) })))).part, to).toMatch(/^(tree|log)$/);
  });

  test('the path of another index', async () => {
    for (const index of [0, 1, 3, 4, 5, 6, 7, -1, 0.5])
      expect(await failure(proof(() => ({ index })))).toMatchObject({ part: 'tree' });
  });

  test('a lone leaf that was doubled', async () => {
    const doubled = dayOf([...made.leaves, made.leaves[6] as ProofFile['leaf']]);
    const own = made.proofOf(6);
    expect(await failure({ ...own, path: doubled.pathOf(6) })).toMatchObject({ part: 'tree' });
    expect(readDayRecord(doubled.record)?.root).not.toBe(made.recordOf()?.root);
  });

  test('a leaf of yesterday under the root of today', async () => {
    const own = proof();
    const before = own.entries.slice(0, 8);
    const leaf = leafOf(own.account, before, '2026-11-25');
    expect(await failure({ ...own, entries: before, leaf })).toMatchObject({ part: 'leaf' });
    expect(await failure({ ...own, entries: before, leaf: { ...leaf, day: own.leaf.day } })).toMatchObject({
      part: 'tree',
    });
  });

  test('an account that was left out', async () => {
    const own = proof();
    const day = dayOf(made.leaves.filter(({ account }) => account !== own.account));
    const log = logOf([...made.past, day.record], made.key);
    for (let index = 0; index < 6; index += 1) {
      const file = { ...own, index, path: day.pathOf(index), record: day.record, tlog: log.tlogOf(made.past.length) };
      expect(await failure(file)).toMatchObject({ part: 'tree' });
    }
  });
});
