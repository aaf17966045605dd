import { createHmac } from 'node:crypto';
import { fromBase64, u64 } from '@cord/contracts/proof/bytes';
import { chainStart } from '@cord/contracts/proof/chain';
import { type Leaf, leafNode, type SumNode } from '@cord/contracts/proof/sum-tree';
import { sha256 } from '../ledger/chain.js';
import type { AccountDoc } from '../store/collections.js';

/** Number of leaves in a tile, a whole subtree of the day's tree. */
export const TILE_LEAVES = 256;
const PLACE_BYTES = 8;
const [N_AT, SUM_AT, HASH_AT, ROW_BYTES] = [8, 12, 20, 52];
const SALT_BYTES = 16;

/** The fields of an account that the tree uses; only the id of an erased one. */
export type RootAccount = Pick<
  AccountDoc,
  '_id' | 'chain' | 'balanceMicro' | 'open' | 'openCommission' | 'erasedAtMs' | 'openedAtMs'
>;

/** A stored leaf, without data that is private to the account. */
export interface Row {
  n: number;
  node: SumNode;
}

/** Returns the place of an account among the leaves of a day: random without the key of that day. */
export function placeOf(shuffle: Uint8Array, account: string): Buffer {
  return createHmac('sha256', shuffle).update(account).digest().subarray(0, PLACE_BYTES);
}

/** Sum of the account's entries, micro-CORD. */
function sumOfEntries({ balanceMicro, open, openCommission }: RootAccount): bigint {
  return balanceMicro - open.amountMicro - (openCommission?.amountMicro ?? 0n);
}

/** Builds the leaf of an account. @param salt the account's own, base64 */
export function leafOf(
  day: string,
  { account, salt, n, head, sum }: { account: string; salt: string; n: number; head: string; sum: bigint },
): Leaf {
  const ofDay = createHmac('sha256', fromBase64(salt) ?? '')
    .update(day)
    .digest()
    .subarray(0, SALT_BYTES);
  return { day, account, n: String(n), head, sum: String(sum), who: '', salt: ofDay.toString('base64') };
}

/** Builds the leaf of an account in its current state. */
export function presentLeaf(day: string, account: RootAccount): Leaf {
  const { n, head, salt } = account.chain;
  return leafOf(day, { account: account._id, salt, n, head, sum: sumOfEntries(account) });
}

/** Returns the head of an account's chain after its last known entry. */
export const headOf = (account: string, last: { hash: string } | undefined): string =>
  last?.hash ?? chainStart(sha256, account);

/** The rows of a day, sorted by place; 52 bytes each. */
export class Rows {
  #bytes = Buffer.alloc(ROW_BYTES * 1_024);
  count = 0;

  add(place: Buffer, leaf: Leaf): void {
    const at = this.count * ROW_BYTES;
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], at * 2);
    const { sum, hash } = leafNode(sha256, leaf);
    place.copy(this.#bytes, at);
    this.#bytes.writeUInt32BE(Number(leaf.n), at + N_AT);
    this.#bytes.set(u64(sum), at + SUM_AT);
    this.#bytes.set(hash, at + HASH_AT);
    this.count += 1;
  }

  /** Yields tiles of at most 256 rows, each built on demand, so that the caller can yield to the event loop in between. */
  *tiles(): Generator<Buffer, void, void> {
    let tile: Buffer[] = [];
    for (const at of this.#inOrder()) {
      tile.push(this.#bytes.subarray(at, at + ROW_BYTES));
      if (tile.length < TILE_LEAVES) continue;
      yield Buffer.concat(tile);
      tile = [];
    }
    if (tile.length > 0) yield Buffer.concat(tile);
  }

  /** Yields the offsets of the rows, sorted by place: grouped by their first bits, at most two bytes, then sorted in small groups. */
  *#inOrder(): Generator<number, void, void> {
    const bytes = this.#bytes;
    const bits = Math.min(16, Math.ceil(Math.log2(this.count + 1)));
    const groups: number[][] = Array.from({ length: 1 << bits }, () => []);
    for (let at = 0; at < this.count * ROW_BYTES; at += ROW_BYTES)
      groups[bytes.readUInt16BE(at) >> (16 - bits)]?.push(at);
    for (const group of groups)
      yield* group.sort((a, b) => bytes.compare(bytes, b, b + PLACE_BYTES, a, a + PLACE_BYTES));
  }
}

/** Returns the place of a tile's first row. */
export const firstPlace = (tile: Buffer): Buffer => tile.subarray(0, PLACE_BYTES);

export function rowsOf(tile: Buffer): Row[] {
  return Array.from({ length: tile.length / ROW_BYTES }, (_, n) => rowAt(tile, n));
}

function rowAt(tile: Buffer, n: number): Row {
  const at = n * ROW_BYTES;
  const hash = new Uint8Array(tile.subarray(at + HASH_AT, at + ROW_BYTES));
  return { n: tile.readUInt32BE(at + N_AT), node: { sum: tile.readBigUInt64BE(at + SUM_AT), hash } };
}

/** Finds the row of a place in sorted rows, or null. */
export function findRow(rows: Buffer, place: Buffer): { at: number; row: Row } | null {
  let [low, high] = [0, rows.length / ROW_BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = middle * ROW_BYTES;
    if (rows.compare(place, 0, PLACE_BYTES, at, at + PLACE_BYTES) < 0) low = middle + 1;
    else high = middle;
  }
  const at = low * ROW_BYTES;
  const isThere = at < rows.length && rows.compare(place, 0, PLACE_BYTES, at, at + PLACE_BYTES) === 0;
  return isThere ? { at: low, row: rowAt(rows, low) } : null;
}
