import { fromBase64, HASH_BYTES, sameBytes, utf8 } from '@cord/contracts/proof/bytes';
import { type ChainEntry, chainStart, entryHash } from '@cord/contracts/proof/chain';
import type { Chained } from '@cord/contracts/proof/entries';
import { begunAfter, logFault } from '@cord/contracts/proof/history';
import { recordHash } from '@cord/contracts/proof/log-tree';
import {
  type Checkpoint,
  checkpointText,
  type Primitives,
  readCheckpoint,
  readNote,
  signedCheckpoint,
} from '@cord/contracts/proof/note';
import { keyRecordText, readTlogProof } from '@cord/contracts/proof/records';
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
  /** The newest signed checkpoint of the log. */
  checkpoint: string;
  /** Hashes of all its records, one after the other. */
  hashes: Uint8Array;
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

/** The result of a check. */
export interface Checked {
  /** Of the proof, by the verifier. */
  verdict: Verdict;
  /** What is wrong with the log as this browser knows it; null where nothing is. */
  history: string | null;
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
  const begun = begunSince(primitives, input);
  // Of a log that was begun anew nothing is known yet.
  const log = begun ? null : before.log;
  const vkeys = await trusted(primitives, input, log);
  const verdict = await verifyProof(primitives, proof, {
    ...{ account, later, vkeys },
    ...(before.own === null ? {} : { seen: before.own.newest }),
    ...(before.own !== null && before.isPart ? { from: before.own.from } : {}),
  });
  const newest = await historyOf(primitives, input, log, vkeys);
  const history = typeof newest === 'string' ? newest : null;
  const isWhole = verdict.ok && typeof newest !== 'string' && begun === null;
  return {
    verdict,
    history,
    begun: begun && { atMs: begun.atMs, reason: begun.reason },
    around: around(primitives, verdict, input),
    next: isWhole
      ? {
          log: { checkpoint: checkpointText(newest), vkeys },
          own: { from: verdict.covered, newest: verdict.newest },
        }
      : null,
  };
}

/** The first record of the log, where that names the log that this browser knows and goes on behind what was seen of it. */
function begunSince({ sha256 }: Primitives, { begun, checkpoint, hashes, before }: CheckInput) {
  const [seen, now] = [before.log?.checkpoint ?? '', readNote(checkpoint)?.text ?? ''].map(readCheckpoint);
  if (!seen || !now || begun === null) return null;
  const isFirst = sameBytes(hashes.slice(0, HASH_BYTES), recordHash(sha256, utf8(begun)));
  return isFirst ? begunAfter(seen, now, begun) : null;
}

/** The keys that count: on the first check all, later those that are known, and each that one of them vouches for in the log. */
async function trusted(primitives: Primitives, { keys, hashes }: CheckInput, log: Before['log']): Promise<string[]> {
  if (log === null) return keys.map(({ vkey }) => vkey);
  const { sha256 } = primitives;
  const known = [...log.vkeys];
  for (const { vkey, vouched } of keys) {
    const seen = known.includes(vkey) || vouched === null ? null : await signedCheckpoint(primitives, vouched, known);
    if (!seen) continue;
    const { size } = seen;
    const record = recordHash(sha256, utf8(keyRecordText({ vkey, from: size })));
    const records = recordsIn(hashes).slice(0, size);
    if (sameBytes(records.at(-1) ?? record.slice(1), record) && logFault(sha256, records, seen, []) === null)
      known.push(vkey);
  }
  return known;
}

const recordsIn = (hashes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.floor(hashes.length / HASH_BYTES) }, (_, at) =>
    hashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** The newest checkpoint, where its records make it and it goes on from all that is known; else what is wrong. */
async function historyOf(
  primitives: Primitives,
  { checkpoint, hashes, proof }: CheckInput,
  log: Before['log'],
  vkeys: readonly string[],
): Promise<Checkpoint | string> {
  const now = await signedCheckpoint(primitives, checkpoint, vkeys);
  if (!now) return 'no known key of the log has signed its newest checkpoint';
  const records = recordsIn(hashes);
  const { tlog } = (proof ?? {}) as { tlog?: unknown };
  const ofProof = typeof tlog === 'string' ? readTlogProof(tlog)?.checkpoint : undefined;
  const signed = ofProof === undefined ? null : await signedCheckpoint(primitives, ofProof, vkeys);
  const remembered = log && readCheckpoint(log.checkpoint);
  const seen = [signed, remembered].filter((one): one is Checkpoint => one !== null);
  return logFault(primitives.sha256, records, now, seen) ?? now;
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
