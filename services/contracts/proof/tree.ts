/*
 * The shape of RFC 6962's trees, over nodes of any kind: hashes in the log, sums with hashes in a day's tree. A tree of n leaves has the
 * largest power of two below n on the left and the rest on the right; a lone node moves up unchanged.
 */

/** Joins two nodes into their parent. @throws RangeError when they do not fit together */
export type Join<N> = (left: N, right: N) => N;

/** Returns the levels of a tree from its leaves to its root; each is half as long as the one below. */
export function levels<N>(leaves: readonly N[], join: Join<N>): N[][] {
  const all = [[...leaves]];
  for (let below = all[0] as N[]; below.length > 1; ) {
    const level: N[] = [];
    for (let at = 0; at + 1 < below.length; at += 2) level.push(join(below[at] as N, below[at + 1] as N));
    if (below.length % 2 === 1) level.push(below[below.length - 1] as N);
    all.push(level);
    below = level;
  }
  return all;
}

/** @throws RangeError without leaves */
export function rootOf<N>(leaves: readonly N[], join: Join<N>): N {
  const root = levels(leaves, join).at(-1)?.[0];
  if (root === undefined) throw new RangeError('a tree has at least one leaf');
  return root;
}

/** Returns the siblings from a leaf up to the root. */
export function pathIn<N>(tree: readonly (readonly N[])[], index: number): N[] {
  const path: N[] = [];
  let at = index;
  for (const level of tree.slice(0, -1)) {
    const sibling = level[at % 2 === 0 ? at + 1 : at - 1];
    if (sibling !== undefined) path.push(sibling);
    at = Math.floor(at / 2);
  }
  return path;
}

/**
 * Returns the root of a leaf and its path (RFC 9162, 2.1.3.2).
 * @returns null when index, size and path length do not fit together
 * @throws RangeError as `join` does
 */
export function rootOfPath<N>(leaf: N, index: number, size: number, path: readonly N[], join: Join<N>): N | null {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return null;
  let [at, last, node] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      node = join(sibling, node);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else node = join(node, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? node : null;
}

/** The largest power of two below a size; the size is above 1. */
function leftOf(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/**
 * Returns the proof that a tree begins with the leaves of a smaller one (RFC 9162, 2.1.4.1).
 * @param from number of leaves of the smaller tree, from 1 to all
 */
export function consistencyProof<N>(leaves: readonly N[], from: number, join: Join<N>, isWhole = true): N[] {
  if (from === leaves.length) return isWhole ? [] : [rootOf(leaves, join)];
  const left = leftOf(leaves.length);
  const [low, high] = [leaves.slice(0, left), leaves.slice(left)];
  return from <= left
    ? [...consistencyProof(low, from, join, isWhole), rootOf(high, join)]
    : [...consistencyProof(high, from - left, join, false), rootOf(low, join)];
}

/** Size and root of a tree. */
interface TreeHead<N> {
  size: number;
  root: N;
}

/** Whether a proof shows that the newer tree begins with the older one (RFC 9162, 2.1.4.2). */
export function isConsistent<N>(
  older: TreeHead<N>,
  newer: TreeHead<N>,
  proof: readonly N[],
  join: Join<N>,
  same: (a: N, b: N) => boolean,
): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && same(older.root, newer.root);
  if (older.size === 0) return proof.length === 0;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const nodes = at === 0 ? [older.root, ...proof] : proof;
  if (nodes.length === 0) return false;
  let [oldRoot, newRoot] = [nodes[0] as N, nodes[0] as N];
  for (const node of nodes.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [oldRoot, newRoot] = [join(node, oldRoot), join(node, newRoot)];
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else newRoot = join(newRoot, node);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && same(oldRoot, older.root) && same(newRoot, newer.root);
}
