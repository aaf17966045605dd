import { toBase64 } from '@cord/contracts/proof/bytes';
import { type SumNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { expect, test } from 'vitest';
import { sha256 } from '../ledger/chain.js';
import { TILE_LEAVES } from './leaves.js';
import { pathOf, rootOfTops, topOf } from './tree.js';

test('a path through tiles equals the path of the whole tree', () => {
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
