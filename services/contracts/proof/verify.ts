import { fromBase64, HASH_BYTES, type Sha256, sameBytes, toBase64, utf8 } from './bytes.js';
import type { CarriedForward, ChainEntry } from './chain.js';
import { type BrokenEntry, type Chained, chainBefore, followEntries, readCarried } from './entries.js';
import { logJoin, recordHash } from './log-tree.js';
import { type Checkpoint, type Primitives, readCheckpoint, readNote, readVkey, signers } from './note.js';
import { type DayRecord, readDayRecord, readTlogProof } from './records.js';
import { endOfDay, rateFaults, readRules } from './rules.js';
import { type Leaf, leafNode, type SumNode, sumJoin } from './sum-tree.js';
import { rootOfPath } from './tree.js';

/** A proof file: the entries of one account, and the path from them to a signed checkpoint. */
export interface ProofFile {
  version: 1;
  account: string;
  opened: CarriedForward | null;
  entries: ChainEntry[];
  leaf: Leaf;
  /** Position of the leaf in the day's tree. */
  index: number;
  /** Siblings up to the root: sum and hash. */
  path: [string, string][];
  /** Text of the day's record. */
  record: string;
  /** The record in the log (C2SP tlog-proof). */
  tlog: string;
  /** The rules that the record pins (`rulesText`); absent when their text is unavailable: then no rate is checked. */
  rules?: string | undefined;
}

/** Facts known besides the file. */
export interface Known {
  /** Keys of the log, one of which must have signed the checkpoint; when absent, no signature is checked. */
  vkeys?: readonly string[];
  /** The account that the proof must belong to. */
  account?: string;
  /** Chain state of earlier entries that were verified before and are not in the file, which begins after them. */
  from?: Chained;
  /** Entries after the file's, as the ledger lists them. */
  later?: readonly unknown[];
  /** The newest entry seen before. */
  seen?: { n: number; head: string };
}

/** Result of a check. `text` is what the page shows and verify.mjs prints. */
export type Verdict = Holds | Fails;

export interface Holds {
  ok: true;
  text: string;
  account: string;
  entries: number;
  balanceMicro: bigint;
  /** Number of mining entries whose amount was recomputed. */
  recomputed: number;
  /** Whether the file has the rules that the record pins, so the rates of those entries were checked. */
  ratesChecked: boolean;
  record: DayRecord;
  checkpoint: Checkpoint;
  /** Whether a known key's signature was checked. */
  signed: boolean;
  /** Chain state at the end of the day: `from` of a later check, whose rules cover the rates of later entries. */
  covered: Chained;
  /** The newest entry, in the file or after it. */
  newest: { n: number; head: string };
}

export interface Fails {
  ok: false;
  text: string;
  /** The first part of the proof that does not hold. */
  part: Part;
  /** Number of the entry, when the part is an entry. */
  n?: string;
}

export type Part = 'file' | 'entry' | 'leaf' | 'tree' | 'rules' | 'log' | 'signature';

/** Number of characters of the root shown in a verdict. */
const ROOT_SHOWN = 12;
const MICRO = 1_000_000n;

class Mismatch extends Error {
  constructor(
    readonly part: Part,
    readonly what: string,
    readonly n?: string,
  ) {
    super(what);
  }
}

/**
 * Verifies a proof: entries, leaf, path to the day's root, record, rules, path to the log's root, signature. The page, verify.mjs, `cord
 * verify` and the audit all run this one verifier.
 * @param file of any shape; a malformed one never throws
 * @returns that it holds, or the first part that does not
 */
export async function verifyProof(primitives: Primitives, file: unknown, known: Known = {}): Promise<Verdict> {
  try {
    return await check(primitives, file, known);
  } catch (error) {
    const { part, n, what } = error instanceof Mismatch ? error : unreadable(error);
    const text = `MISMATCH ${part}${n === undefined ? '' : ` ${n}`}: ${what}`;
    return { ok: false, text, part, ...(n === undefined ? {} : { n }) };
  }
}

/** Converts the error of a malformed text or number to a mismatch. @throws any error that is not the file's fault */
function unreadable(error: unknown): Mismatch {
  const isOfFile = error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError;
  if (!isOfFile) throw error;
  return new Mismatch('file', error.message);
}

async function check(primitives: Primitives, file: unknown, known: Known): Promise<Holds> {
  const { sha256 } = primitives;
  const proof = readFile(file);
  const { account, leaf } = proof;
  if (known.account !== undefined && account !== known.account)
    throw new Mismatch('file', `it is of account ${account}, not of ${known.account}`);
  const from = known.from ?? chainBefore(sha256, account, proof.opened);
  const ofDay = entriesOfDay(proof);
  const covered = follow(sha256, account, from, proof.entries.slice(0, ofDay));
  const chained = follow(sha256, account, covered, proof.entries.slice(ofDay));
  const later = known.later ?? [];
  const newest = follow(sha256, account, chained, later);
  if (known.seen) checkSeen([...proof.entries, ...(later as ChainEntry[])], { from, seen: known.seen, left: newest.n });
  checkLeaf(proof, chained);
  const record = readDayRecord(proof.record);
  if (!record) throw new Mismatch('tree', 'the record of the day has no known form');
  if (leaf.day !== record.day) throw new Mismatch('leaf', `it is of ${leaf.day}, the record of ${record.day}`);
  checkTree(sha256, proof, record);
  checkRules(sha256, proof, record);
  const { checkpoint, note } = checkLog(sha256, proof);
  const signed = await checkSignature(primitives, note, checkpoint, known.vkeys);
  const ratesChecked = proof.rules !== undefined;
  const carried = known.from === undefined ? proof.opened : null;
  const parts = [
    `OK ${chained.n} entries`,
    `balance ${cordText(chained.balanceMicro)}`,
    ...(carried ? [`of which ${cordText(BigInt(carried.balance))} brought along`] : []),
    `root ${record.root.slice(0, ROOT_SHOWN)}`,
    `${chained.recomputed} recomputed`,
    ...(ratesChecked ? [] : ['rates not checked']),
    ...(signed ? [] : ['signature not checked']),
  ];
  return {
    ok: true,
    text: parts.join(', '),
    account,
    entries: chained.n,
    balanceMicro: chained.balanceMicro,
    recomputed: chained.recomputed,
    ratesChecked,
    record,
    checkpoint,
    signed,
    covered,
    newest: { n: newest.n, head: newest.head },
  };
}

/** @throws Mismatch for anything but a proof of version 1 */
function readFile(file: unknown): ProofFile {
  const { version, account, opened, entries, leaf, index, path, record, tlog, rules } = (file ??
    {}) as Partial<ProofFile>;
  const refuse = (what: string) => new Mismatch('file', what);
  if (version !== 1) throw refuse('it is no proof of version 1');
  if (typeof account !== 'string' || account === '') throw refuse('account is no text');
  const carried = readCarried(opened);
  if (carried === false) throw refuse('opened is neither null nor a carried balance');
  if (!Array.isArray(entries)) throw refuse('entries is no list');
  if (!isLeaf(leaf)) throw refuse('leaf has no known form');
  if (typeof index !== 'number') throw refuse('index is no number');
  if (!Array.isArray(path) || !path.every(isPair)) throw refuse('path is no list of sums and hashes');
  if (typeof record !== 'string') throw refuse('record is no text');
  if (typeof tlog !== 'string') throw refuse('tlog is no text');
  if (rules !== undefined && typeof rules !== 'string') throw refuse('rules is no text');
  return { version, account, opened: carried, entries, leaf, index, path, record, tlog, rules };
}

function isLeaf(leaf: unknown): leaf is Leaf {
  const { day, account, n, head, sum, who, salt } = (leaf ?? {}) as Partial<Leaf>;
  const areTexts = [day, account, head, who, salt].every((text) => typeof text === 'string');
  return areTexts && isWhole(n) && isWhole(sum);
}

const isWhole = (text: unknown): text is string => typeof text === 'string' && /^(0|[1-9]\d{0,18})$/.test(text);

function isPair(pair: unknown): pair is [string, string] {
  const [sum, hash, ...more] = Array.isArray(pair) ? pair : [];
  const isHash = typeof hash === 'string' && fromBase64(hash, HASH_BYTES) !== null;
  return more.length === 0 && typeof sum === 'string' && /^(0|-?[1-9]\d{0,19})$/.test(sum) && isHash;
}

/** Number of entries, of any shape, before the first one after the day: the leaf covers those up to its scan. */
function entriesOfDay({ entries, leaf }: ProofFile): number {
  const endMs = endOfDay(leaf.day);
  const after = entries.findIndex((entry: Partial<ChainEntry> | null) => Number(entry?.at) >= endMs);
  return after < 0 ? entries.length : after;
}

/** @throws Mismatch that names the first invalid entry */
function follow(sha256: Sha256, account: string, before: Chained, entries: readonly unknown[]): Chained {
  const after: Chained | BrokenEntry = followEntries(sha256, account, before, entries);
  if ('what' in after) throw new Mismatch('entry', after.what, after.n);
  return after;
}

/** Entries seen before must remain, and what stood before the first one: the ledger may have grown since, never shrunk or changed. */
function checkSeen(
  entries: readonly ChainEntry[],
  { from, seen, left }: { from: Chained; seen: NonNullable<Known['seen']>; left: number },
): void {
  if (seen.n === from.n && seen.head !== from.head)
    throw new Mismatch('entry', 'the chain before it is not the one that was seen before', String(from.n + 1));
  if (seen.n <= from.n) return;
  const now = entries.find(({ n }) => n === String(seen.n));
  if (!now) throw new Mismatch('entry', `${seen.n} entries were seen before, ${left} are left`, String(left + 1));
  if (now.hash !== seen.head) throw new Mismatch('entry', 'it is not the entry that was seen before', now.n);
}

function checkLeaf({ account, leaf }: ProofFile, { n, head, balanceMicro }: Chained): void {
  if (leaf.account !== account) throw new Mismatch('leaf', `it is of account ${leaf.account}`);
  if (leaf.n !== String(n)) throw new Mismatch('leaf', `it covers ${leaf.n} entries, ${n} are here`);
  if (leaf.head !== head) throw new Mismatch('leaf', 'its head is not the hash of the last entry');
  if (leaf.sum !== String(balanceMicro))
    throw new Mismatch('leaf', `its sum is ${leaf.sum}, the entries make ${balanceMicro}`);
}

function checkTree(sha256: Sha256, { leaf, index, path }: ProofFile, { accounts, total, root }: DayRecord): void {
  const siblings = path.map(([sum, hash]) => ({ sum: BigInt(sum), hash: bytesOf(hash) }));
  const top = inRange(() => rootOfPath<SumNode>(leafNode(sha256, leaf), index, accounts, siblings, sumJoin(sha256)));
  if (!top) throw new Mismatch('tree', `no path of ${path.length} steps leads from leaf ${index} of ${accounts}`);
  if (toBase64(top.hash) !== root) throw new Mismatch('tree', 'the path does not lead to the root of the day');
  if (top.sum !== total) throw new Mismatch('tree', `the path makes a total of ${top.sum}, the record has ${total}`);
}

function inRange<R>(compute: () => R): R {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw new Mismatch('tree', error.message);
    throw error;
  }
}

/** Checks that the rules are those that the record pins, and that they allow each mining entry's rate. Skipped for a file without rules. */
function checkRules(sha256: Sha256, { rules: text, entries }: ProofFile, record: DayRecord): void {
  if (text === undefined) return;
  if (toBase64(sha256(utf8(text))) !== record.rules) throw new Mismatch('rules', 'they are not those of the record');
  const rules = readRules(text, record.day);
  if (!rules) throw new Mismatch('rules', 'they have no known form');
  const faultOf = rateFaults(rules, record.day);
  for (const entry of entries) {
    const fault = faultOf(entry);
    if (fault !== null) throw new Mismatch('entry', fault, entry.n);
  }
}

/** Decodes base64 that was validated before. */
const bytesOf = (text: string): Uint8Array => fromBase64(text) ?? new Uint8Array(0);

function checkLog(sha256: Sha256, { record, tlog }: ProofFile) {
  const proof = readTlogProof(tlog);
  const note = proof && readNote(proof.checkpoint);
  const checkpoint = note && readCheckpoint(note.text);
  if (!proof || !note || !checkpoint) throw new Mismatch('log', 'the proof of the log has no known form');
  const { index, path } = proof;
  const top = rootOfPath(recordHash(sha256, utf8(record)), index, checkpoint.size, path, logJoin(sha256));
  if (!top)
    throw new Mismatch('log', `no path of ${path.length} steps leads from record ${index} of ${checkpoint.size}`);
  if (!sameBytes(top, checkpoint.root)) throw new Mismatch('log', 'the record of the day is not in the log');
  return { note, checkpoint };
}

async function checkSignature(
  primitives: Primitives,
  note: Parameters<typeof signers>[1],
  { origin }: Checkpoint,
  vkeys: readonly string[] | undefined,
): Promise<boolean> {
  if (vkeys === undefined) return false;
  const keys = vkeys.map((vkey) => readVkey(primitives.sha256, vkey));
  if (!keys.every((key) => key !== null)) throw new Mismatch('signature', 'the key of the log has no known form');
  const signed = await signers(primitives, note, keys);
  if (signed === false) throw new Mismatch('signature', 'the signature of a key of the log is wrong');
  if (!signed.some(({ name }) => name === origin))
    throw new Mismatch('signature', 'no key of the log has signed the checkpoint');
  return true;
}

/** Formats micro-CORD as `62000.5`. */
function cordText(micro: bigint): string {
  const [whole, rest] = [micro / MICRO, micro % MICRO];
  return rest === 0n ? String(whole) : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
