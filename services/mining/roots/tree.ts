import { type SumNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { sha256 } from '../ledger/chain.js';
import { TILE_LEAVES } from './leaves.js';

const join = sumJoin(sha256);

/** Returns the node above the leaves of a tile. */
export const topOf = (nodes: readonly SumNode[]): SumNode => rootOf(nodes, join);

/** Returns the root of a day from the nodes above its tiles. */
export const rootOfTops = (tops: readonly { sum: bigint; hash: Uint8Array }[]): SumNode =>
  rootOf(
    tops.map(({ sum, hash }) => ({ sum, hash: new Uint8Array(hash) })),
    join,
  );

/**
 * Returns the siblings of a leaf up to the root: those in its tile, then those of the tile. A tile is a whole subtree,
 * so both together are the path in the whole tree.
 * @param index index of the leaf among all
 */
export function pathOf(index: number, tile: readonly SumNode[], tops: readonly SumNode[]): SumNode[] {
  const inTile = pathIn(levels(tile, join), index % TILE_LEAVES);
  return [...inTile, ...pathIn(levels(tops, join), Math.floor(index / TILE_LEAVES))];
}
