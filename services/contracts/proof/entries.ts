import type { Sha256 } from './bytes.js';
import { amountOfFacts, type CarriedForward, type ChainEntry, chainStart, entryHash } from './chain.js';
import { SUM_LIMIT } from './sum-tree.js';

/** State of an account's chain after some entries. */
export interface Chained {
  /** Number of the last entry; 0 before the first. */
  n: number;
  seq: bigint;
  /** Hash of the last entry, or the start of the chain; base64. */
  head: string;
  balanceMicro: bigint;
  /** Number of mining entries whose amount was recomputed from their facts. */
  recomputed: number;
}

/** The first invalid entry, and why. */
export interface BrokenEntry {
  n: string;
  what: string;
}

const FIELDS = ['n', 'seq', 'key', 'source', 'amount', 'balance', 'at', 'reason', 'facts', 'hash'] as const;
const WHOLE = /^(0|[1-9]\d{0,18})$/;
const SIGNED = /^(0|-?[1-9]\d{0,18})$/;

/** The state of an account's chain before its first entry. */
export function chainBefore(sha256: Sha256, account: string, opened: CarriedForward | null = null): Chained {
  const [seq, balanceMicro] = opened ? [BigInt(opened.seq), BigInt(opened.balance)] : [0n, 0n];
  return { n: 0, seq, head: chainStart(sha256, account, opened), balanceMicro, recomputed: 0 };
}

/** Parses a carried balance from a file. @returns false for an invalid one */
export function readCarried(value: unknown): CarriedForward | null | false {
  if (value === null) return null;
  const { seq, balance } = (value ?? {}) as Partial<CarriedForward>;
  return isText(seq, WHOLE) && isText(balance, WHOLE) && BigInt(balance) < SUM_LIMIT && { seq, balance };
}

/**
 * Verifies an account's entries in order. Each must have the next number, the balance that the amounts make, the amount that its facts
 * make, and the hash over the previous hash and all its fields.
 * @param entries in order, of any shape
 * @returns the chain's new state, or the first invalid entry
 */
export function followEntries(
  sha256: Sha256,
  account: string,
  before: Chained,
  entries: readonly unknown[],
): Chained | BrokenEntry {
  let chained = before;
  for (const entry of entries) {
    const what = shapeFault(entry) ?? ruleFault(entry as ChainEntry, account, chained);
    if (what) return { n: String(chained.n + 1), what };
    const next = entry as ChainEntry;
    if (next.hash !== hashOf(sha256, chained.head, next))
      return { n: next.n, what: 'its hash is not the hash of its fields' };
    chained = {
      n: chained.n + 1,
      seq: BigInt(next.seq),
      head: next.hash,
      balanceMicro: BigInt(next.balance),
      recomputed: chained.recomputed + (next.facts === '' ? 0 : 1),
    };
  }
  return chained;
}

function shapeFault(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return 'it is no entry';
  const fields = entry as Record<string, unknown>;
  for (const field of FIELDS) if (typeof fields[field] !== 'string') return `its ${field} is no text`;
  const { n, seq, amount, balance, at } = entry as ChainEntry;
  if (!WHOLE.test(n)) return 'its n is no whole number in its one spelling';
  if (!WHOLE.test(seq)) return 'its seq is no whole number in its one spelling';
  if (!SIGNED.test(amount)) return 'its amount is no whole number in its one spelling';
  if (!WHOLE.test(balance) || BigInt(balance) >= SUM_LIMIT) return 'its balance is no whole number in its one spelling';
  return WHOLE.test(at) ? null : 'its time is no whole number in its one spelling';
}

function ruleFault(entry: ChainEntry, account: string, { n, seq, balanceMicro }: Chained): string | null {
  if (entry.n !== String(n + 1)) return `number ${entry.n} stands in its place`;
  if (BigInt(entry.seq) <= seq) return `its seq ${entry.seq} follows ${seq}`;
  const [source, ...parts] = entry.key.split(':');
  if (source !== entry.source) return `its key ${entry.key} is none of ${entry.source}`;
  if (!parts.includes(account)) return `its key ${entry.key} is of another account`;
  const dueMicro = balanceMicro + BigInt(entry.amount);
  if (BigInt(entry.balance) !== dueMicro)
    return `its balance is ${entry.balance}, the amounts up to it make ${dueMicro}`;
  if (entry.facts === '') return null;
  const madeMicro = entry.source === 'mining' ? amountOfFacts(entry.facts) : null;
  if (madeMicro === null) return 'its facts are none';
  return BigInt(entry.amount) === madeMicro ? null : `its amount is ${entry.amount}, its facts make ${madeMicro}`;
}

/** @returns null when a text has no UTF-8 */
function hashOf(sha256: Sha256, previous: string, entry: ChainEntry): string | null {
  try {
    return entryHash(sha256, previous, entry);
  } catch {
    return null;
  }
}

function isText(value: unknown, shape: RegExp): value is string {
  return typeof value === 'string' && shape.test(value);
}
