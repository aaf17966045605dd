import { listBytes, type Sha256, toBase64 } from './bytes.js';

/**
 * One entry of a ledger in proofs. Integers are decimal strings without leading zeros, the hash is base64, `amount` and `balance` are
 * micro-CORD, `at` is ms since epoch.
 */
export interface ChainEntry {
  /** Position in the account's chain: 1, 2, 3 without gaps. */
  n: string;
  /** Account version that wrote it; rises, with gaps. */
  seq: string;
  key: string;
  source: string;
  amount: string;
  /** Sum of all amounts up to this entry. */
  balance: string;
  at: string;
  reason: string;
  /** For mining at one rate `<rateNano> <ms> <carryBefore>`; otherwise empty. */
  facts: string;
  hash: string;
}

/** An entry as stored by the ledger; amounts in micro-CORD, time in ms since epoch. */
interface StoredEntry {
  readonly n: number;
  readonly seq: bigint;
  readonly key: string;
  readonly source: string;
  readonly amountMicro: bigint;
  readonly balanceMicro: bigint;
  readonly atMs: number;
  readonly reason: string;
  readonly facts: string;
  readonly hash: string;
}

/** Balance of an account before its chain began; null when the chain is complete. */
export interface CarriedForward {
  seq: string;
  balance: string;
}

/** Carry units in one micro-CORD; one unit is a nano-CORD per minute times ms. */
const CARRY_UNIT = 60_000_000n;

/** Returns the hash before an account's first entry, base64. @param account the random id */
export function chainStart(sha256: Sha256, account: string, opened: CarriedForward | null = null): string {
  const list = opened ? ['cord/open/1', account, opened.seq, opened.balance] : ['cord/chain/1', account];
  return toBase64(sha256(listBytes(list)));
}

/**
 * Returns the hash of an entry, base64: over the previous hash and all its fields.
 * @throws RangeError for a lone surrogate in a text
 */
export function entryHash(sha256: Sha256, previous: string, entry: Omit<ChainEntry, 'hash'>): string {
  const { n, seq, key, source, amount, balance, at, reason, facts } = entry;
  const list = ['cord/entry/1', previous, n, seq, key, source, amount, balance, at, reason, facts];
  return toBase64(sha256(listBytes(list)));
}

/** Converts a stored entry to the form used in proofs. */
export function chainEntry(entry: StoredEntry): ChainEntry {
  const { n, seq, key, source, amountMicro, balanceMicro, atMs, reason, facts, hash } = entry;
  const [amount, balance, at] = [String(amountMicro), String(balanceMicro), String(atMs)];
  return { n: String(n), seq: String(seq), key, source, amount, balance, at, reason, facts, hash };
}

/** The facts of mining at one rate. @param rateNano nano-CORD per minute @param carryBefore in 1 / 60,000,000 micro-CORD */
export function miningFacts(rateNano: bigint, ms: number, carryBefore: bigint): string {
  return `${rateNano} ${ms} ${carryBefore}`;
}

/** Returns the rate in a mining entry's facts, nano-CORD per minute. Null for other texts, such as mining at several rates. */
export function rateOfFacts(facts: string): bigint | null {
  return amountOfFacts(facts) === null ? null : BigInt(facts.slice(0, facts.indexOf(' ')));
}

/** Returns the amount that a mining entry's facts yield, micro-CORD. Null for other texts. */
export function amountOfFacts(facts: string): bigint | null {
  const found = /^(0|[1-9]\d{0,18}) (0|[1-9]\d{0,14}) (0|[1-9]\d{0,7})$/.exec(facts);
  if (!found) return null;
  const [rateNano, ms, carryBefore] = found.slice(1).map(BigInt) as [bigint, bigint, bigint];
  return (rateNano * ms + carryBefore) / CARRY_UNIT;
}
