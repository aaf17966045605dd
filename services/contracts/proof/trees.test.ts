import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameBytes, toBase64, utf8 } from './bytes.js';
import { bundleBytes, logJoin, readBundle, readTilePath, recordHash, tileBytes, tilePath } from './log-tree.js';
import { type SumNode, sumJoin } from './sum-tree.js';
import { consistencyProof, isConsistent, levels, pathIn, rootOf, rootOfPath } from './tree.js';
import { NODE_PRIMITIVES } from './verify-file.js';

const { sha256 } = NODE_PRIMITIVES;
const join = logJoin(sha256);
const LEAVES = Array.from({ length: 1_001 }, (_, n) => recordHash(sha256, utf8(`record ${n}`)));
const leaf = (n: number) => LEAVES[n] as Uint8Array;
const leaves = (count: number) => LEAVES.slice(0, count);
const same = (a: Uint8Array | null, b: Uint8Array) => a !== null && sameBytes(a, b);
const LARGEST = 70;
/** All trees from 1 to 70 leaves. */
const sizes = Array.from({ length: LARGEST }, (_, n) => n + 1);

/** RFC 6962, 2.1, by its definition. */
function byDefinition(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return join(byDefinition(hashes.slice(0, left)), byDefinition(hashes.slice(left)));
}

describe('a tree', () => {
  test('of 1 to 70 leaves has the root of the definition', () => {
    for (const size of sizes) expect(toBase64(rootOf(leaves(size), join))).toBe(toBase64(byDefinition(leaves(size))));
  });

  test('of 1 to 70 leaves leads from a leaf to the root by its own index only', () => {
    for (const size of sizes) {
      const tree = levels(leaves(size), join);
      const root = tree.at(-1)?.[0] as Uint8Array;
      for (let index = 0; index < size; index += 1) {
        const path = pathIn(tree, index);
        const reached = sizes.filter((other) => same(rootOfPath(leaf(index), other - 1, size, path, join), root));
        expect(reached.join()).toBe(String(index + 1));
      }
    }
  });

  test('accepts no path that is longer, shorter or changed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: LARGEST }), fc.nat(), fc.nat(), (size, at, step) => {
        const index = at % size;
        const tree = levels(leaves(size), join);
        const root = tree.at(-1)?.[0] as Uint8Array;
        const path = pathIn(tree, index);
        const leads = (changed: Uint8Array[]) => same(rootOfPath(leaf(index), index, size, changed, join), root);
        expect(leads(path)).toBe(true);
        expect(leads(path.slice(1))).toBe(false);
        expect(leads([...path, leaf(0)])).toBe(false);
        expect(leads(path.with(step % path.length, leaf(1_000)))).toBe(false);
      }),
    );
  });

  test('has no path for an index out of range', () => {
    for (const [index, size] of [
      [0, 0],
      [1, 1],
      [-1, 3],
      [0.5, 3],
      [Number.NaN, 3],
      [0, Number.POSITIVE_INFINITY],
    ] as const)
      expect(rootOfPath(leaf(0), index, size, [], join)).toBeNull();
  });

  test('of 1 to 70 leaves continues each smaller one and no other, by no longer, shorter or changed proof', () => {
    const heads = sizes.map((size) => ({ size, root: rootOf(leaves(size), join) }));
    const forks = sizes.map((size) => ({ size, root: rootOf([...leaves(size - 1), leaf(1_000)], join) }));
    for (const [at, newer] of heads.entries()) {
      for (const [before, older] of heads.slice(0, at + 1).entries()) {
        const proof = consistencyProof(leaves(newer.size), older.size, join);
        const goesOn = (from: typeof older, to: typeof newer, by = proof) =>
          isConsistent(from, to, by, join, sameBytes);
        expect(goesOn(older, newer)).toBe(true);
        expect(goesOn(forks[before] as typeof older, newer)).toBe(false);
        expect(goesOn(older, forks[at] as typeof newer)).toBe(false);
        expect(goesOn(older, newer, [...proof, leaf(0)])).toBe(false);
        if (before < at) expect(goesOn(older, newer, proof.slice(1))).toBe(false);
        for (const place of proof.keys()) expect(goesOn(older, newer, proof.with(place, leaf(1_000)))).toBe(false);
      }
    }
  });

  test('of sums has the sum of all leaves at its root, and at the end of each path', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 50n }), { minLength: 1, maxLength: LARGEST }), (sums) => {
        const nodes = sums.map((sum, n): SumNode => ({ sum, hash: leaf(n) }));
        const tree = levels(nodes, sumJoin(sha256));
        const total = sums.reduce((a, b) => a + b, 0n);
        expect(tree.at(-1)?.[0]?.sum).toBe(total);
        for (const [index, node] of nodes.entries())
          expect(rootOfPath(node, index, nodes.length, pathIn(tree, index), sumJoin(sha256))?.sum).toBe(total);
      }),
    );
  });

  test.each([
    ['below 0', -1n, 5n],
    ['of 2^63', 2n ** 63n, 0n],
    ['that passes 2^63 together', 2n ** 62n, 2n ** 62n],
  ])('of sums accepts none %s', (_, left, right) => {
    const of = (sum: bigint): SumNode => ({ sum, hash: leaf(0) });
    expect(() => sumJoin(sha256)(of(left), of(right))).toThrow('out of range');
    expect(() => sumJoin(sha256)(of(right), of(left))).toThrow('out of range');
  });

  test('of sums binds both children: moving an amount between them changes the hash', () => {
    const of = (sum: bigint): SumNode => ({ sum, hash: leaf(0) });
    const [plain, moved] = [sumJoin(sha256)(of(5n), of(5n)), sumJoin(sha256)(of(4n), of(6n))];
    expect(plain.sum).toBe(moved.sum);
    expect(sameBytes(plain.hash, moved.hash)).toBe(false);
    expect(() => sumJoin(sha256)({ sum: 1n, hash: new Uint8Array(33) }, of(1n))).toThrow('32 bytes');
  });
});

describe('tiles', () => {
  test('have the paths of the specification, which parse back', () => {
    expect(tilePath({ index: 1_234_067, width: 256 }, 0)).toBe('tile/0/x001/x234/067');
    expect(tilePath({ index: 0, width: 118 }, 'entries')).toBe('tile/entries/000.p/118');
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 256 }),
        fc.integer({ min: 0, max: 63 }),
        (index, width, level) => {
          expect(readTilePath(tilePath({ index, width }, level))).toEqual({ level, index, width });
        },
      ),
    );
    for (const path of [
      'tile/64/000',
      'tile/00/000',
      'tile/0/0000',
      'tile/0/x000/001',
      'tile/0/000.p/256',
      'tile/0/000.p/0',
      'tile/0/000.p/01',
      'tile/0/../000',
      'tile/0/000/',
    ])
      expect(readTilePath(path), path).toBeNull();
  });

  test('of a log of 600 records contain what makes its root', () => {
    const records = leaves(600);
    const [first, second, third, above] = [
      { level: 0, index: 0, width: 256 },
      { level: 0, index: 1, width: 256 },
      { level: 0, index: 2, width: 88 },
      { level: 1, index: 0, width: 2 },
    ].map((tile) => tileBytes(sha256, tile, records));
    expect([first, second, third, above].map((bytes) => (bytes as Uint8Array).length / 32)).toEqual([256, 256, 88, 2]);
    const hashes = (bytes: Uint8Array) =>
      Array.from({ length: bytes.length / 32 }, (_, at) => bytes.slice(at * 32, at * 32 + 32));
    const [one, two] = hashes(above as Uint8Array);
    const low = join(one as Uint8Array, two as Uint8Array);
    const root = join(low, rootOf(hashes(third as Uint8Array), join));
    expect(toBase64(root)).toBe(toBase64(rootOf(records, join)));
    expect(toBase64(rootOf(hashes(first as Uint8Array), join))).toBe(toBase64(one as Uint8Array));
  });

  test('of entries parse back, and a truncated one is rejected', () => {
    const records = ['', 'a', 'b'.repeat(300)].map(utf8);
    const bundle = bundleBytes(records);
    expect(readBundle(bundle)).toEqual(records);
    for (const length of [1, 3, bundle.length - 1]) expect(readBundle(bundle.slice(0, length))).toBeNull();
    expect(() => bundleBytes([new Uint8Array(65_536)])).toThrow('65,535');
  });
});
