import { listBytes, type Sha256, toBase64 } from './bytes.js';

/**
 * One entry of a ledger as proofs have it. Integers are decimal strings without leading zeros, the hash is base64, `amount` and `balance`
 * are micro-CORD, `at` is ms since epoch.
 */
export interface ChainEntry {
  /** Place in the account's chain: 1, 2, 3 without gaps. */
  n: string;
  /** Version of the account that it was written with: rises, with gaps. */
  seq: string;
  key: string;
  source: string;
  amount: string;
  /** Sum of the amounts up to it. */
  balance: string;
  at: string;
  reason: string;
  /** Of mining `<rateNano> <ms> <carryBefore>`; else, and where it was earned at more than one rate, nothing. */
  facts: string;
  hash: string;
}

/** An entry as the ledger stores it; amounts in micro-CORD, time in ms since epoch. */
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

/** A balance that an account brought along when its chain began; null where the chain has every entry. */
export interface CarriedForward {
  seq: string;
  balance: string;
}

/** Units of the carry in one micro-CORD: nano-CORD a minute times ms. */
const CARRY_UNIT = 60_000_000n;

/** The hash before an account's first entry, base64. @param account the random id */
export function chainStart(sha256: Sha256, account: string, opened: CarriedForward | null = null): string {
  const list = opened ? ['cord/open/1', account, opened.seq, opened.balance] : ['cord/chain/1', account];
  return toBase64(sha256(listBytes(list)));
}

/**
 * The hash of an entry, base64: over the hash before it and all its fields.
 * @throws RangeError for a lone surrogate in a text
 */
export function entryHash(sha256: Sha256, previous: string, entry: Omit<ChainEntry, 'hash'>): string {
  const { n, seq, key, source, amount, balance, at, reason, facts } = entry;
  const list = ['cord/entry/1', previous, n, seq, key, source, amount, balance, at, reason, facts];
  return toBase64(sha256(listBytes(list)));
}

/** A stored entry as proofs have it. */
export function chainEntry(entry: StoredEntry): ChainEntry {
  const { n, seq, key, source, amountMicro, balanceMicro, atMs, reason, facts, hash } = entry;
  const [amount, balance, at] = [String(amountMicro), String(balanceMicro), String(atMs)];
  return { n: String(n), seq: String(seq), key, source, amount, balance, at, reason, facts, hash };
}

/** The facts of mining at one rate. @param rateNano nano-CORD a minute @param carryBefore in 1 / 60,000,000 micro-CORD */
export function miningFacts(rateNano: bigint, ms: number, carryBefore: bigint): string {
  return `${rateNano} ${ms} ${carryBefore}`;
}

/** The rate of the facts of a mining entry, nano-CORD a minute. Null for other texts, as of mining at more than one rate. */
export function rateOfFacts(facts: string): bigint | null {
  return amountOfFacts(facts) === null ? null : BigInt(facts.slice(0, facts.indexOf(' ')));
}

/** What the facts of a mining entry come to, micro-CORD. Null for other texts. */
export function amountOfFacts(facts: string): bigint | null {
  const found = /^(0|[1-9]\d{0,18}) (0|[1-9]\d{0,14}) (0|[1-9]\d{0,7})$/.exec(facts);
  if (!found) return null;
  const [rateNano, ms, carryBefore] = found.slice(1).map(BigInt) as [bigint, bigint, bigint];
  return (rateNano * ms + carryBefore) / CARRY_UNIT;
}
