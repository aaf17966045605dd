import { describe, expect, test } from 'vitest';
import { toBase64, u64, utf8 } from './bytes.js';
import { readDayRecord } from './records.js';
import { leafNode, sumJoin } from './sum-tree.js';
import { failure, made, proof, sha256 } from './test/frauds.js';
import { dayOf, leafOf, logOf } from './test/sample.js';
import { levels, pathIn, rootOfPath } from './tree.js';
import type { ProofFile } from './verify.js';

/* What an operator could try with the tree of a day. */

describe('the tree', () => {
  const leafFault = async (fields: Partial<ProofFile['leaf']>) =>
    failure(proof(({ leaf }) => ({ leaf: { ...leaf, ...fields } })));

  test("another's leaf", async () => {
    const other = made.proofOf(1);
    expect(await failure(proof(() => ({ leaf: other.leaf, index: other.index, path: other.path })))).toMatchObject({
      part: 'leaf',
    });
    expect(await failure(other, { account: made.ids[2] as string })).toMatchObject({ part: 'file' });
  });

  test('one leaf for two users who have the same', async () => {
    const [one, two] = [made.proofOf(0), made.proofOf(3)];
    expect(one.leaf.sum).toBe(two.leaf.sum);
    expect(await failure({ ...two, leaf: one.leaf, index: one.index, path: one.path })).toMatchObject({ part: 'leaf' });
    const renamed = { ...one.leaf, account: two.account, head: two.leaf.head };
    expect(await failure({ ...two, leaf: renamed, index: one.index, path: one.path })).toMatchObject({ part: 'tree' });
  });

  test.each(['sum', 'n', 'head', 'who', 'salt', 'day'] as const)('another %s in the leaf', async (field) => {
    const to = { sum: '425000006', n: '11', head: toBase64(sha256(utf8(''))), who: 'x', salt: 'x', day: '2026-11-25' };
    expect((await leafFault({ [field]: to[field] })).part).toMatch(/^(leaf|tree)$/);
  });

  const withSibling = (sum: (was: bigint) => bigint) =>
    proof(({ path }) => ({
      path: path.map(([was, hash], at) => (at === 0 ? [String(sum(BigInt(was))), hash] : [was, hash])),
    }));

  test('a lowered sum of a sibling', async () => {
    expect(await failure(withSibling((was) => was - 1n))).toMatchObject({ part: 'tree' });
  });

  test('a negative sum of a sibling', async () => {
    expect((await failure(withSibling(() => -1n))).text).toBe('MISMATCH tree: a sum of -1 micro-CORD is out of range');
  });

  test('a sum that overflows', async () => {
    expect((await failure(withSibling(() => 2n ** 63n - 1n))).text).toContain('out of range');
    expect((await failure(withSibling(() => 2n ** 64n))).text).toContain('out of range');
  });

  test('another number of accounts, another total, another root in the record', async () => {
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

  test('a leaf that is taken for a node, a node that is taken for a leaf', () => {
    const nodes = made.leaves.map((leaf) => leafNode(sha256, leaf));
    const [left, right] = nodes as [ReturnType<typeof leafNode>, ReturnType<typeof leafNode>];
    const { day, account, n, head, sum, who, salt } = made.leaves[0] as ProofFile['leaf'];
    const list = JSON.stringify(['cord/leaf/1', day, account, n, head, sum, who, salt]);
    expect(toBase64(left.hash)).toBe(toBase64(sha256(Uint8Array.of(0, ...utf8(list)))));
    const both = [left, right].flatMap((node) => [...u64(node.sum), ...node.hash]);
    const above = sumJoin(sha256)(left, right);
    expect(toBase64(above.hash)).toBe(toBase64(sha256(Uint8Array.of(1, ...both))));
    // A node stands one level higher: with its shorter path it is no leaf of this tree.
    const path = pathIn(levels(nodes, sumJoin(sha256)), 0).slice(1);
    expect(rootOfPath(above, 0, nodes.length, path, sumJoin(sha256))).toBeNull();
  });

  test("yesterday's leaf under today's root", async () => {
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
