import { toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { bundleBytes, logJoin, recordHash, type Tile, tileBytes } from '@cord/contracts/proof/log-tree';
import { checkpointText, signedNote } from '@cord/contracts/proof/note';
import { keyRecordText, readKeyRecord, tlogProofText } from '@cord/contracts/proof/records';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { DAY_MS } from '@cord/contracts/rules/days';
import { sha256 } from '../ledger/chain.js';
import type { LogKey } from './key.js';
import type { HeadDoc, LogDoc, RecordDoc, RootStore } from './store.js';

/** Dependencies for signing the log. */
export interface LogParts {
  store: RootStore;
  /** The signing key, and the former one while it still vouches for it. */
  keys: readonly LogKey[];
  /** Name of the first log, when it has none yet. */
  origin: string;
}

/** How long after the record of a new key the former one signs too, ms: a monthly reader of the log sees both. */
const BOTH_SIGN_MS = 30 * DAY_MS;

const join = logJoin(sha256);
/** Returns the hashes of the records, the leaves of the log's tree. */
export const hashesOf = (records: readonly Pick<RecordDoc, 'text'>[]): Uint8Array[] =>
  records.map(({ text }) => recordHash(sha256, utf8(text)));

/** A key of the log and where it begins. */
interface KeySpan {
  vkey: string;
  /** First size that it signs. */
  from: number;
  /** Time of its record, ms; 0 for the first key. */
  atMs: number;
}

/** Returns the keys of a log, oldest first. */
export function keySpans(log: Pick<LogDoc, 'vkey'>, records: readonly RecordDoc[]): [KeySpan, ...KeySpan[]] {
  const later = records.flatMap(({ text, atMs }) => {
    const key = readKeyRecord(text);
    return key ? [{ ...key, atMs }] : [];
  });
  return [{ vkey: log.vkey, from: 0, atMs: 0 }, ...later];
}

/** Returns whether the newest configured key is not yet the log's signing key. */
export async function isNewKey({ store, keys: [newest] }: LogParts): Promise<boolean> {
  const log = await store.log();
  if (!log || !newest) return false;
  return keySpans(log, await store.records()).at(-1)?.vkey !== newest.vkey(log.origin);
}

/**
 * Adds the record of a new key to the log, once. The log must be signed by both keys before its next record.
 * @throws Error when the former key is missing, or the key was in the log before
 */
export async function addKey({ store, keys }: LogParts, nowMs: number): Promise<void> {
  const [log, records] = [await store.log(), await store.records()];
  const [newest, ...former] = keys;
  if (!log || !newest) return;
  const spans = keySpans(log, records);
  const current = spans.at(-1)?.vkey;
  const vkey = newest.vkey(log.origin);
  if (spans.some((span) => span.vkey === vkey) || !former.some((key) => key.vkey(log.origin) === current))
    throw new Error(`LEDGER_LOG_KEY is not the key ${current} of the log, and that key does not vouch for it`);
  const index = records.length;
  const text = keyRecordText({ vkey, from: index + 1 });
  await store.addRecord({ _id: index, day: '', text, run: '', shuffle: '', accounts: 0, atMs: nowMs });
}

/**
 * Signs the log at its size. The root of a size is stored before it is signed, and only the stored root is signed: one
 * size can never have two roots, even after an interruption.
 * @throws Error when the stored root of the size differs, or the log belongs to another key
 */
export async function signLog({ store, keys, origin: own }: LogParts, nowMs: number): Promise<void> {
  const records = await store.records();
  const [newest] = keys;
  if (records.length === 0 || !newest) return;
  const named = store.origin ?? own;
  const log = await store.log({ origin: named, vkey: newest.vkey(named) });
  if (!log) return;
  const { origin } = log;
  const size = records.length;
  const [current, before] = keySpans(log, records).reverse() as [KeySpan, KeySpan?];
  const keyOf = ({ vkey }: KeySpan) => keys.find((key) => key.vkey(origin) === vkey);
  const signing = keyOf(current);
  if (!signing) throw new Error(`LEDGER_LOG_KEY is not the key ${current.vkey} of the log`);
  const vouching = before && (size === current.from || nowMs - current.atMs < BOTH_SIGN_MS) ? keyOf(before) : null;
  if (before && size === current.from && !vouching)
    throw new Error(`LEDGER_LOG_KEY lacks the former key ${before.vkey}, which must vouch for the new one`);
  const root = rootOf(hashesOf(records), join);
  const head = await store.head(size, toBase64(root));
  if (head?.root !== toBase64(root)) throw new Error(`the stored root of log size ${size} does not match its records`);
  if (head.checkpoint !== undefined) return;
  const text = checkpointText({ origin, size, root });
  const lines = [signing, vouching].flatMap((key) => (key ? [key.line(origin, text)] : []));
  await store.signHead(size, head.root, signedNote(text, lines));
}

/** Returns the signed checkpoint of a head with the lines of its witnesses. */
export const noteOf = ({ checkpoint = '', cosignatures = [] }: Pick<HeadDoc, 'checkpoint' | 'cosignatures'>): string =>
  checkpoint + cosignatures.map(({ line }) => line).join('');

/** Returns the proof that a record is in the log (C2SP tlog-proof). @param records all records of the head */
export function tlogOf(index: number, head: HeadDoc, records: readonly RecordDoc[]): string {
  const tree = levels(hashesOf(records.slice(0, head._id)), join);
  return tlogProofText({ index, path: pathIn(tree, index), checkpoint: noteOf(head) });
}

/** Returns a tile of the signed log, or null when the log does not have it. */
export function tileOf(
  { level, index, width }: Omit<Tile, 'level'> & { level: number | 'entries' },
  records: readonly RecordDoc[],
): Uint8Array | null {
  const each = level === 'entries' ? 1 : 256 ** level;
  if ((index * 256 + width) * each > records.length) return null;
  if (level !== 'entries') return tileBytes(sha256, { level, index, width }, hashesOf(records));
  return bundleBytes(records.slice(index * 256, index * 256 + width).map(({ text }) => utf8(text)));
}
