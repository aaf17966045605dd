import { isDay } from '../rules/ledger-keys.js';
import { fromBase64, HASH_BYTES, toBase64 } from './bytes.js';
import { type Checkpoint, checkpointText, readCheckpoint } from './note.js';

/** The log's record of a day. */
export interface DayRecord {
  /** `2026-11-26` */
  day: string;
  /** Number of leaves in the day's tree. */
  accounts: number;
  /** Sum of all balances, micro-CORD. */
  total: bigint;
  /** Root hash of the tree, base64. */
  root: string;
  /** SHA-256 of the rules and epochs in force, base64. */
  rules: string;
  /** SHA-256 of verify.mjs as served, base64. */
  verifier: string;
  /** Number of accounts of the day before that were erased. */
  erased: number;
}

const INTEGER = '(0|[1-9]\\d{0,18})';
const HASH = '([A-Za-z0-9+/]{43}=)';
const DAY = new RegExp(
  `^cord/day/1\\nday (\\d{4}-\\d{2}-\\d{2})\\naccounts ${INTEGER}\\ntotal ${INTEGER}\\nroot ${HASH}\\nrules ${HASH}\\nverifier ${HASH}\\nerased ${INTEGER}\\n$`,
);

/** Returns the record's text, a leaf of the log. */
export function dayRecordText({ day, accounts, total, root, rules, verifier, erased }: DayRecord): string {
  return `cord/day/1\nday ${day}\naccounts ${accounts}\ntotal ${total}\nroot ${root}\nrules ${rules}\nverifier ${verifier}\nerased ${erased}\n`;
}

/** @returns null for a text that is not exactly a day record */
export function readDayRecord(text: string): DayRecord | null {
  const found = DAY.exec(text);
  if (!found) return null;
  const [, day = '', accounts = '', total = '', root = '', rules = '', verifier = '', erased = ''] = found;
  const record = {
    day,
    accounts: Number(accounts),
    total: BigInt(total),
    root,
    rules,
    verifier,
    erased: Number(erased),
  };
  const isOne =
    isDay(day) &&
    [root, rules, verifier].every((hash) => fromBase64(hash, HASH_BYTES)) &&
    dayRecordText(record) === text;
  return isOne ? record : null;
}

/** A leaf of the log: a key that signs checkpoints from a size on. */
interface KeyRecord {
  vkey: string;
  from: number;
}

export function keyRecordText({ vkey, from }: KeyRecord): string {
  return `cord/key/1\nvkey ${vkey}\nfrom ${from}\n`;
}

/** @returns null for a text that is no key record */
export function readKeyRecord(text: string): KeyRecord | null {
  const [, vkey = '', from = ''] = /^cord\/key\/1\nvkey (\S+)\nfrom (0|[1-9]\d{0,14})\n$/.exec(text) ?? [];
  return vkey === '' ? null : { vkey, from: Number(from) };
}

/** The first record of a log that replaces one which could not continue. */
export interface LogRecord {
  /** Name of the log. */
  origin: string;
  /** The last checkpoint of each earlier log, oldest first. */
  before: Checkpoint[];
  /** Start of the log, ms since epoch. */
  atMs: number;
  /** The operator's reason, one line. */
  reason: string;
}

/** One line of 1 to 200 characters, without control characters, direction marks or spaces at its ends. */
const REASON = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;

/** @throws RangeError for an invalid reason */
export function logRecordText({ origin, before, atMs, reason }: LogRecord): string {
  if (!REASON.test(reason)) throw new RangeError('the reason is no line of 1 to 200 characters');
  const lines = before.map((one) => `before ${checkpointText(one).trimEnd().replaceAll('\n', ' ')}\n`);
  return `cord/log/1\norigin ${origin}\n${lines.join('')}at ${atMs}\nreason ${reason}\n`;
}

/** @returns null for a text that is not the first record of a replacement log */
export function readLogRecord(text: string): LogRecord | null {
  const [, origin = '', lines = '', at = '', reason = ''] =
    /^cord\/log\/1\norigin (\S+)\n((?:before \S+ \d+ \S+\n)+)at (0|[1-9]\d{0,14})\nreason (.+)\n$/u.exec(text) ?? [];
  const found = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => readCheckpoint(`${line.split(' ').slice(1).join('\n')}\n`));
  const before = found.filter((one) => one !== null);
  const isOne = before.length > 0 && before.length === found.length && REASON.test(reason);
  return isOne ? { origin, before, atMs: Number(at), reason } : null;
}

/** One record of the log, with its path and a signed checkpoint (C2SP tlog-proof). */
interface TlogProof {
  index: number;
  path: Uint8Array[];
  /** The signed note. */
  checkpoint: string;
}

const TLOG = 'c2sp.org/tlog-proof@v1';

export function tlogProofText({ index, path, checkpoint }: TlogProof): string {
  return [TLOG, `index ${index}`, ...path.map(toBase64), '', checkpoint].join('\n');
}

/** @returns null for a malformed proof; an `extra` line is skipped */
export function readTlogProof(text: string): TlogProof | null {
  const cut = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, cut).split('\n');
  if (cut < 0 || first !== TLOG) return null;
  if (lines[0]?.startsWith('extra ') && !fromBase64(lines.shift()?.slice(6) ?? '')) return null;
  const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(lines.shift() ?? '') ?? [];
  const path = lines.map((line) => fromBase64(line, HASH_BYTES));
  if (index === undefined || !path.every((hash) => hash !== null)) return null;
  return { index: Number(index), path, checkpoint: text.slice(cut + 2) };
}
