import { type SumNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { sha256 } from '../ledger/chain.js';
import { TILE_LEAVES } from './leaves.js';

const join = sumJoin(sha256);

/** The node above the leaves of a tile. */
export const topOf = (nodes: readonly SumNode[]): SumNode => rootOf(nodes, join);

/** The root of a day, out of the nodes above its tiles. */
export const rootOfTops = (tops: readonly { sum: bigint; hash: Uint8Array }[]): SumNode =>
  rootOf(
    tops.map(({ sum, hash }) => ({ sum, hash: new Uint8Array(hash) })),
    join,
  );

/**
 * The siblings of a leaf up to the root: those in its tile, then those of the tile. A tile is a whole subtree, so that both together are the path
 * of the whole tree.
 * @param index of the leaf among all
 */
export function pathOf(index: number, tile: readonly SumNode[], tops: readonly SumNode[]): SumNode[] {
  const inTile = pathIn(levels(tile, join), index % TILE_LEAVES);
  return [...inTile, ...pathIn(levels(tops, join), Math.floor(index / TILE_LEAVES))];
}
