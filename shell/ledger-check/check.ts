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

/** What one check is about: all of it is data, so that it goes to a worker and back. */
export interface CheckInput {
  account: string;
  /** Of any shape. */
  proof: unknown;
  /** Entries after those of the proof. */
  later: ChainEntry[];
  /** All of the log, the first one first. */
  keys: LogKey[];
  /** The first record of a log that was begun anew; null of the first log. */
  begun: string | null;
  /** The newest signed checkpoint of the log, or one from before that of the proof. */
  checkpoint: string;
  /** All records up to the larger of the two. */
  records: Uint8Array[];
  /** The rules of the day as users read them; null where the proof has none to compare. */
  shownRules: string | null;
  /** When it was read, by the server's clock, ms. */
  nowMs: number;
  before: Before;
}

/** A key of the log, and the checkpoint by which the key before vouches for it. */
export interface LogKey {
  vkey: string;
  vouched: string | null;
}

/** What this browser knows from earlier checks. */
export interface Before {
  /** Of the log: three lines of a checkpoint, and the keys that were known with it. */
  log: { checkpoint: string; vkeys: string[] } | null;
  /** Of the own entries. */
  own: { from: Chained; newest: { n: number; head: string } } | null;
  /** Whether the proof leaves out the entries that were checked before. */
  isPart: boolean;
}

/** An entry near the one that does not hold: the hash that it has, and the one that is computed. */
export interface ComparedEntry {
  n: string;
  source: string;
  /** micro-CORD. */
  amount: string;
  at: string;
  has: string;
  computed: string;
}

/** What does not hold in the log as a whole, or beside the proof. */
export interface LogFinding {
  part: 'history' | 'days' | 'rules';
  what: string;
}

/** The log as a check reads it. */
interface Log {
  hashes: Uint8Array[];
  texts: string[];
  /** The keys that count, the first one first. */
  vkeys: string[];
}

/** The result of a check. */
export interface Checked {
  /** Of the proof, by the verifier. */
  verdict: Verdict;
  /** What is wrong with the log: as this browser knows it, with its days, or with the rules that are shown; null where nothing is. */
  history: LogFinding | null;
  /** The log was begun anew after the one that this browser knows: when, ms, and the reason that was given. Else null. */
  begun: { atMs: number; reason: string } | null;
  /** The entry that does not hold, between its neighbours. */
  around: ComparedEntry[];
  /** What the next check needs; null where something does not hold. */
  next: { log: NonNullable<Before['log']>; own: NonNullable<Before['own']> } | null;
}

/** Checks a proof by the verifier of verify.mjs, and the log by what this browser saw of it. Throws for no input. */
export async function checkLedger(primitives: Primitives, input: CheckInput): Promise<Checked> {
  const { account, proof, later, before } = input;
  const hashes = input.records.map((record) => recordHash(primitives.sha256, record));
  const begun = begunSince(primitives, input, hashes[0]);
  // Of a log that was begun anew nothing is known yet.
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

/** The first record of the log, where that names the log that this browser knows and goes on behind what was seen of it. */
function begunSince({ sha256 }: Primitives, { begun, checkpoint, before }: CheckInput, first?: Uint8Array) {
  const [seen, now] = [readCheckpoint(before.log?.checkpoint ?? ''), checkpointOf(checkpoint)];
  const record = seen && now && begun !== null ? begunAfter(seen, now, begun) : null;
  return record && first && sameBytes(first, recordHash(sha256, utf8(begun ?? ''))) ? record : null;
}

/** The keys that count: on the first check all, later those that are known, and each for which the key before vouches in the log. */
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

/** The size of a signed checkpoint; 0 of a text that is none. */
const sizeOf = (note: string): number => checkpointOf(note)?.size ?? 0;

/** The one key that signs the log of some size, by its records; none where it is not one that counts. A key before it signs nothing by itself. */
function keyOf({ texts, vkeys }: Pick<Log, 'texts' | 'vkeys'>, size: number): string[] {
  const vkey = signingKey(texts.slice(0, size), vkeys[0] ?? '');
  return vkeys.filter((one) => one === vkey);
}

/** The signed checkpoint of a proof of any shape. */
function proofCheckpoint(proof: unknown): string {
  const { tlog } = (proof ?? {}) as { tlog?: unknown };
  return typeof tlog === 'string' ? (readTlogProof(tlog)?.checkpoint ?? '') : '';
}

/**
 * The newest checkpoint, where its records make it, it goes on from all that is known, each day that is over has one record at most, no other day has
 * one, and the proof is of the last of them; else what is wrong.
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
  // A cache may serve a checkpoint of seconds ago: the log goes on from it to that of the proof.
  const now = proved && proved.size > served.size ? proved : served;
  const others = [served, proved, seen && readCheckpoint(seen.checkpoint)];
  const known = others.filter((one): one is Checkpoint => one !== null);
  const fault = logFault(primitives.sha256, log.hashes, now, known);
  if (fault !== null) return { part: 'history', what: fault };
  const days = dayRecordsFault(log.texts, nowMs) ?? lastDayFault(log.texts, proof);
  return days === null ? now : { part: 'days', what: days };
}

/** Rates were checked by the rules that the record pins: users read the same ones. */
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

/** The hash that an entry has, and the one that it should have, of the first that does not hold and its neighbours. */
function around({ sha256 }: Primitives, verdict: Verdict, { account, proof, later, before }: CheckInput) {
  if (verdict.ok || verdict.part !== 'entry') return [];
  const { entries } = (proof ?? {}) as { entries?: unknown };
  const all = [...(Array.isArray(entries) ? entries : []), ...later].filter(isShown);
  const at = all.findIndex(({ n }) => n === verdict.n);
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
