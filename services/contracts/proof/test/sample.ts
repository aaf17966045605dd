import { createHmac, generateKeyPairSync, sign as signEd25519 } from 'node:crypto';
import { toBase64, utf8 } from '../bytes.js';
import { type ChainEntry, chainStart, entryHash, miningFacts } from '../chain.js';
import { logJoin, recordHash } from '../log-tree.js';
import { checkpointText, signatureLine, signedNote, vkeyOf } from '../note.js';
import { dayRecordText, readDayRecord, tlogProofText } from '../records.js';
import { type Leaf, leafNode, sumJoin } from '../sum-tree.js';
import { levels, pathIn, rootOf } from '../tree.js';
import type { ProofFile } from '../verify.js';
import { NODE_PRIMITIVES } from '../verify-file.js';

const { sha256 } = NODE_PRIMITIVES;
const ORIGIN = 'cord.example/ledger';
export const DAY = '2026-11-26';
const NOON_MS = Date.UTC(2026, 10, 26, 12);

/** Creates a signing key. */
export function newKey(name = ORIGIN) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(12));
  const sign = (message: Uint8Array) => new Uint8Array(signEd25519(null, message, privateKey));
  const line = (text: string) => signatureLine(sha256, name, key, sign(utf8(text)));
  return { name, key, sign, line, vkey: vkeyOf(sha256, name, key) };
}

export const accountId = (n: number) => n.toString(16).padStart(32, '0');

/** Creates an account's entries with correct hashes. @param changed returns the fields that differ from the start, per entry */
export function entriesOf(
  account: string,
  count: number,
  changed: (entry: ChainEntry) => Partial<ChainEntry> = () => ({}),
): ChainEntry[] {
  const entries: ChainEntry[] = [];
  let [previous, balance] = [chainStart(sha256, account), 0n];
  for (let n = 1; n <= count; n += 1) {
    const isMined = n % 2 === 0;
    const amount = isMined ? 30_000_000n : 55_000_001n;
    balance += amount;
    const source = isMined ? 'mining' : 'task';
    const plain: ChainEntry = {
      n: String(n),
      seq: String(n * 3),
      key: isMined ? `mining:${account}:${n * 3}` : `task:${n}:${account}:once`,
      source,
      amount: String(amount),
      balance: String(balance),
      at: String(NOON_MS + n),
      reason: isMined ? 'Mining at 0.5 CORD/min' : 'Caf\u00e9 visited',
      facts: isMined ? miningFacts(500_000_000n, 3_600_000, 59_999_999n) : '',
      hash: '',
    };
    const entry = { ...plain, ...changed(plain) };
    entry.hash = entryHash(sha256, previous, entry);
    balance = BigInt(entry.balance);
    previous = entry.hash;
    entries.push(entry);
  }
  return entries;
}

/** Recomputes the hashes of entries, as a forger of their fields would. */
export function resealed(account: string, entries: readonly ChainEntry[]): ChainEntry[] {
  let previous = chainStart(sha256, account);
  return entries.map((entry) => {
    const sealed = { ...entry, hash: entryHash(sha256, previous, entry) };
    previous = sealed.hash;
    return sealed;
  });
}

export function leafOf(account: string, entries: readonly ChainEntry[], day = DAY): Leaf {
  const last = entries.at(-1);
  return {
    day,
    account,
    n: last?.n ?? '0',
    head: last?.hash ?? chainStart(sha256, account),
    sum: last?.balance ?? '0',
    who: '',
    salt: toBase64(createHmac('sha256', account).update(day).digest().subarray(0, 16)),
  };
}

/** Builds the tree of a day over some leaves, and its record. */
export function dayOf(leaves: readonly Leaf[], day = DAY, rules = 'none') {
  const tree = levels(
    leaves.map((leaf) => leafNode(sha256, leaf)),
    sumJoin(sha256),
  );
  const top = tree.at(-1)?.[0];
  if (!top) throw new RangeError('a day has at least one leaf');
  const hash = toBase64(sha256(utf8('none')));
  const record = dayRecordText({
    ...{ day, accounts: leaves.length, total: top.sum, root: toBase64(top.hash), erased: 0 },
    ...{ rules: toBase64(sha256(utf8(rules))), verifier: hash },
  });
  const pathOf = (index: number) =>
    pathIn(tree, index).map((node): [string, string] => [String(node.sum), toBase64(node.hash)]);
  return { record, pathOf };
}

/** Builds a signed log of records. */
export function logOf(records: readonly string[], key: ReturnType<typeof newKey>, size = records.length) {
  const hashes = records.map((record) => recordHash(sha256, utf8(record)));
  const join = logJoin(sha256);
  const text = checkpointText({ origin: ORIGIN, size, root: rootOf(hashes.slice(0, size), join) });
  const checkpoint = signedNote(text, [key.line(text)]);
  const tree = levels(hashes.slice(0, size), join);
  return {
    text,
    checkpoint,
    hashes,
    records: records.map(utf8),
    tlogOf: (index: number) => tlogProofText({ index, path: pathIn(tree, index), checkpoint }),
  };
}

export const pastRecord = (day: string) => dayOf([leafOf(accountId(900), [], day)], day).record;

/** Builds a day with some accounts, in the log after ten others, with the data each needs for a proof. */
export function world({ accounts = 7, entries = 12 }: { accounts?: number; entries?: number } = {}) {
  const key = newKey();
  const ids = Array.from({ length: accounts }, (_, n) => accountId(n + 1));
  const books = new Map(ids.map((id, n) => [id, entriesOf(id, entries - (n % 3))]));
  const leaves = ids.map((id) => leafOf(id, books.get(id) as ChainEntry[]));
  const day = dayOf(leaves);
  const past = Array.from({ length: 10 }, (_, n) => pastRecord(`2026-11-${String(16 + n).padStart(2, '0')}`));
  const log = logOf([...past, day.record], key);
  const proofOf = (n: number): ProofFile => {
    const account = ids[n] as string;
    return {
      version: 1,
      account,
      opened: null,
      entries: structuredClone(books.get(account) as ChainEntry[]),
      leaf: { ...(leaves[n] as Leaf) },
      index: n,
      path: day.pathOf(n),
      record: day.record,
      tlog: log.tlogOf(past.length),
    };
  };
  return { key, ids, books, leaves, day, past, log, proofOf, recordOf: () => readDayRecord(day.record) };
}
