import { fromBase64, sameBytes, utf8 } from '@cord/contracts/proof/bytes';
import { type ChainEntry, chainStart, entryHash } from '@cord/contracts/proof/chain';
import type { Chained } from '@cord/contracts/proof/entries';
import { begunAfter, dayRecordsFault, logFault, signingKey } from '@cord/contracts/proof/history';
import { recordHash, recordText } from '@cord/contracts/proof/log-tree';
import {
  type Checkpoint,
  checkpointOf,
  checkpointText,
  type Primitives,
  readCheckpoint,
  signedCheckpoint,
} from '@cord/contracts/proof/note';
import { keyRecordText, readDayRecord, readTlogProof } from '@cord/contracts/proof/records';
import { type Verdict, verifyProof } from '@cord/contracts/proof/verify';

/** Input of one check: plain data, so that it can be posted to a worker. */
export interface CheckInput {
  account: string;
  /** Unvalidated. */
  proof: unknown;
  /** Entries after those of the proof. */
  later: ChainEntry[];
  /** All keys of the log, oldest first. */
  keys: LogKey[];
  /** First record of a restarted log; null for the first log. */
  begun: string | null;
  /** Newest signed checkpoint of the log, or a cached one older than the proof's. */
  checkpoint: string;
  /** All records up to the larger of the two checkpoints. */
  records: Uint8Array[];
  /** The day's rules as users read them; null when the proof has none to compare. */
  shownRules: string | null;
  /** Read time by the server's clock, ms. */
  nowMs: number;
  before: Before;
}

/** A key of the log, and the checkpoint in which the previous key vouches for it. */
export interface LogKey {
  vkey: string;
  vouched: string | null;
}

/** Known state from earlier checks in this browser. */
export interface Before {
  /** The log: three lines of a checkpoint, and the keys known with it. */
  log: { checkpoint: string; vkeys: string[] } | null;
  /** The user's entries. */
  own: { from: Chained; newest: { n: number; head: string } } | null;
  /** Whether the proof omits the entries checked before. */
  isPart: boolean;
}

/** An entry near the mismatch: its stored hash, and the computed one. */
export interface ComparedEntry {
  n: string;
  source: string;
  /** micro-CORD. */
  amount: string;
  at: string;
  has: string;
  computed: string;
}

/** A mismatch in the whole log, or outside the proof. */
export interface LogFinding {
  part: 'history' | 'days' | 'rules';
  what: string;
}

/** The log as a check reads it. */
interface Log {
  hashes: Uint8Array[];
  texts: string[];
  /** Trusted keys, oldest first. */
  vkeys: string[];
}

/** Result of a check. */
export interface Checked {
  /** Verdict of the verifier on the proof. */
  verdict: Verdict;
  /** What is wrong with the log: its known history, its days, or the shown rules; null when nothing is. */
  history: LogFinding | null;
  /** Restart of the log after the known one: time in ms and reason; else null. */
  begun: { atMs: number; reason: string } | null;
  /** The mismatching entry and its neighbours. */
  around: ComparedEntry[];
  /** State for the next check; null after a mismatch. */
  next: { log: NonNullable<Before['log']>; own: NonNullable<Before['own']> } | null;
}

/** Checks a proof by the verifier of verify.mjs, and the log against what this browser has seen. It never throws for any input. */
export async function checkLedger(primitives: Primitives, input: CheckInput): Promise<Checked> {
  const { account, proof, later, before } = input;
  const hashes = input.records.map((record) => recordHash(primitives.sha256, record));
  const begun = begunSince(primitives, input, hashes[0]);
  // A restarted log has no known state yet.
  const seen = begun ? null : before.log;
  const texts = input.records.map(recordText);
  const log: Log = { hashes, texts, vkeys: await trusted(primitives, input.keys, { hashes, texts, seen }) };
  const ofProof = proofCheckpoint(proof);
  const verdict = await verifyProof(primitives, proof, {
    ...{ account, later, vkeys: keyOf(log, sizeOf(ofProof)) },
    ...(before.own === null ? {} : { seen: before.own.newest }),
    ...(before.own !== null && before.isPart ? { from: before.own.from } : {}),
  });
  const newest = await newestOf(primitives, input, { log, seen, ofProof });
  const history = 'what' in newest ? newest : rulesFault(input);
  const isWhole = verdict.ok && !('what' in newest) && history === null && begun === null;
  return {
    verdict,
    history,
    begun: begun && { atMs: begun.atMs, reason: begun.reason },
    around: around(primitives, verdict, input),
    next: isWhole
      ? {
          log: { checkpoint: checkpointText(newest), vkeys: log.vkeys },
          own: { from: verdict.covered, newest: verdict.newest },
        }
      : null,
  };
}

/** Returns the first record of a restarted log, if it names the known log and continues after the last seen state. */
function begunSince({ sha256 }: Primitives, { begun, checkpoint, before }: CheckInput, first?: Uint8Array) {
  const [seen, now] = [readCheckpoint(before.log?.checkpoint ?? ''), checkpointOf(checkpoint)];
  const record = seen && now && begun !== null ? begunAfter(seen, now, begun) : null;
  return record && first && sameBytes(first, recordHash(sha256, utf8(begun ?? ''))) ? record : null;
}

/** Returns the trusted keys: all on the first check; later the known ones, and each for which the previous key vouches in the log. */
async function trusted(
  primitives: Primitives,
  keys: readonly LogKey[],
  { hashes, texts, seen }: Omit<Log, 'vkeys'> & { seen: Before['log'] },
): Promise<string[]> {
  if (seen === null) return keys.map(({ vkey }) => vkey);
  const known = [...seen.vkeys];
  for (const { vkey, vouched } of keys) {
    if (known.includes(vkey) || vouched === null) continue;
    const size = sizeOf(vouched);
    const signed = await signedCheckpoint(primitives, vouched, keyOf({ texts, vkeys: known }, size - 1));
    if (!signed) continue;
    const isLast = texts[size - 1] === keyRecordText({ vkey, from: size });
    if (isLast && logFault(primitives.sha256, hashes.slice(0, size), signed, []) === null) known.push(vkey);
  }
  return known;
}

/** Returns the size of a signed checkpoint; 0 for invalid text. */
const sizeOf = (note: string): number => checkpointOf(note)?.size ?? 0;

/** Returns the key that signs the log at a size, by its records; none if it is not trusted. Earlier keys alone do not count. */
function keyOf({ texts, vkeys }: Pick<Log, 'texts' | 'vkeys'>, size: number): string[] {
  const vkey = signingKey(texts.slice(0, size), vkeys[0] ?? '');
  return vkeys.filter((one) => one === vkey);
}

/** Returns the signed checkpoint of an unvalidated proof. */
function proofCheckpoint(proof: unknown): string {
  const { tlog } = (proof ?? {}) as { tlog?: unknown };
  return typeof tlog === 'string' ? (readTlogProof(tlog)?.checkpoint ?? '') : '';
}

/**
 * Returns the newest checkpoint, or a mismatch. Its records must produce it, it must extend all known checkpoints,
 * each finished day has at most one record, no other day has one, and the proof is of the last day.
 */
async function newestOf(
  primitives: Primitives,
  { checkpoint, proof, nowMs }: CheckInput,
  { log, seen, ofProof }: { log: Log; seen: Before['log']; ofProof: string },
): Promise<Checkpoint | LogFinding> {
  const signed = (note: string) => signedCheckpoint(primitives, note, keyOf(log, sizeOf(note)));
  const served = await signed(checkpoint);
  if (!served) return { part: 'history', what: 'no known key of the log has signed its newest checkpoint' };
  const proved = await signed(ofProof);
  // A cache may serve an older checkpoint, which the proof's one extends.
  const now = proved && proved.size > served.size ? proved : served;
  const others = [served, proved, seen && readCheckpoint(seen.checkpoint)];
  const known = others.filter((one): one is Checkpoint => one !== null);
  const fault = logFault(primitives.sha256, log.hashes, now, known);
  if (fault !== null) return { part: 'history', what: fault };
  const days = dayRecordsFault(log.texts, nowMs) ?? lastDayFault(log.texts, proof);
  return days === null ? now : { part: 'days', what: days };
}

/** Compares the rules pinned by the record, which rates were checked by, with those that users read. */
function rulesFault({ proof, shownRules }: CheckInput): LogFinding | null {
  const { rules } = (proof ?? {}) as { rules?: unknown };
  if (shownRules === null || rules === shownRules) return null;
  return { part: 'rules', what: 'the page of rules has others than the record of the day' };
}

function lastDayFault(texts: readonly string[], proof: unknown): string | null {
  const last = texts.findLast((text) => readDayRecord(text) !== null);
  const { record } = (proof ?? {}) as { record?: unknown };
  return record === last ? null : 'the proof is not of the last day in the log';
}

/** Returns the stored and computed hashes of the first mismatching entry and its neighbours. */
function around({ sha256 }: Primitives, verdict: Verdict, { account, proof, later, before }: CheckInput) {
  if (verdict.ok || verdict.part !== 'entry') return [];
  const { entries } = (proof ?? {}) as { entries?: unknown };
  const all = [...(Array.isArray(entries) ? entries : []), ...later].filter(isShown);
  // By its place: an entry left out or moved has another number there, or none.
  const at = Number(verdict.n) - 1 - (before.own !== null && before.isPart ? before.own.from.n : 0);
  return all.slice(Math.max(0, at - 1), at + 2).flatMap((entry): ComparedEntry[] => {
    const { n, source, amount, at: time, hash } = entry;
    const previous = all[all.indexOf(entry) - 1]?.hash ?? startOf();
    if (fromBase64(hash) === null) return [];
    try {
      return [{ n, source, amount, at: time, has: hash, computed: entryHash(sha256, previous, entry) }];
    } catch {
      return [];
    }
  });

  function startOf(): string {
    return before.own !== null && before.isPart ? before.own.from.head : chainStart(sha256, account);
  }
}

const SHOWN = ['n', 'seq', 'key', 'source', 'amount', 'balance', 'at', 'reason', 'facts', 'hash'] as const;

function isShown(entry: unknown): entry is ChainEntry {
  return SHOWN.every((field) => typeof (entry as Partial<ChainEntry> | null)?.[field] === 'string');
}
