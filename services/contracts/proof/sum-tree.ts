import { concat, HASH_BYTES, listBytes, type Sha256, u64 } from './bytes.js';
import type { Join } from './tree.js';

/** Sums stay below this bound, so that none can pass for a negative one. */
export const SUM_LIMIT = 2n ** 63n;

/** A node of a day's tree: the sum of the balances below it, micro-CORD, and a hash that binds both children with their sums. */
export interface SumNode {
  sum: bigint;
  hash: Uint8Array;
}

/** An account's leaf in a day's tree. Integers are decimal strings, hashes and the salt base64. */
export interface Leaf {
  /** `2026-11-26` */
  day: string;
  /** The random id. */
  account: string;
  /** Number of entries it covers. */
  n: string;
  /** Hash of the last entry, or the start of the chain. */
  head: string;
  /** Balance in entries, micro-CORD. */
  sum: string;
  /** Commitment to the one Discord account; empty when there is none. */
  who: string;
  /** Random to everybody else; differs each day for the same account. */
  salt: string;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** @throws RangeError for a sum out of range */
export function leafNode(sha256: Sha256, { day, account, n, head, sum, who, salt }: Leaf): SumNode {
  const list = listBytes(['cord/leaf/1', day, account, n, head, sum, who, salt]);
  return { sum: inRange(BigInt(sum)), hash: sha256(concat(LEAF, list)) };
}

/** Returns the function that joins two nodes of a day's tree. @throws RangeError for a sum outside 0 to 2^63 - 1, or a malformed hash */
export function sumJoin(sha256: Sha256): Join<SumNode> {
  return (left, right) => ({
    sum: inRange(inRange(left.sum) + inRange(right.sum)),
    hash: sha256(concat(NODE, u64(left.sum), whole(left.hash), u64(right.sum), whole(right.hash))),
  });
}

function inRange(sum: bigint): bigint {
  if (sum < 0n || sum >= SUM_LIMIT) throw new RangeError(`a sum of ${sum} micro-CORD is out of range`);
  return sum;
}

function whole(hash: Uint8Array): Uint8Array {
  if (hash.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
  return hash;
}
