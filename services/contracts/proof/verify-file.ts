import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { begunAfter, dayRecordsFault, historyFault, logFault, signingKey } from './history.js';
import { readRecords, recordHash, recordText } from './log-tree.js';
import { isMemoPending, keptFrom, laterMemo, MEMO_PROGRAM, type Memo, memoFault, memosOf, solanaRpc } from './memos.js';
import {
  type Checkpoint,
  checkpointOf,
  checkpointText,
  type Primitives,
  readCheckpoint,
  readNote,
  signedCheckpoint,
} from './note.js';
import { policyFault, readPolicy } from './policy.js';
import { readTlogProof } from './records.js';
import { endOfDay } from './rules.js';
import { type Holds, type Known, verifyProof } from './verify.js';

/** DER prefix that turns a raw Ed25519 key into one that OpenSSL reads (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Cryptography from node:crypto. */
export const NODE_PRIMITIVES: Primitives = {
  sha256: (data) => createHash('sha256').update(data).digest(),
  ed25519(key, message, signature) {
    const der = { key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' } as const;
    return verify(null, message, createPublicKey(der), signature);
  },
};

const USAGE =
  'node verify.mjs FILE --vkey KEY... | --unsigned [--before FILE] [--policy FILE] [--log URL] [--rpc URL --memo-signer ADDRESS]';

const ANSWER_MS_MAX = 10_000;
/** Time from the end of a day within which a missing memo is no mismatch, ms: the root follows after ten minutes, its memo soon after. */
const MEMO_PENDING_MS = 3_600_000;

/**
 * The command `verify`: prints what the page shows.
 * @param args FILE, then: log keys, one of which must have signed, or `--unsigned`; an older file, whose entries must come first; a policy
 * (C2SP tlog-policy) whose witnesses must have signed; the log's URL, whose records must make the checkpoint; a Solana node and a memo signer
 * @returns the exit code: 0 when the proof holds; 1 when it does not, could not be checked, or was unsigned without `--unsigned`
 */
export async function verifyFile(args: readonly string[]): Promise<number> {
  try {
    const text = { type: 'string' } as const;
    const options = {
      ...{ vkey: { ...text, multiple: true }, unsigned: { type: 'boolean' as const } },
      ...{ before: text, policy: text, log: text, rpc: text, 'memo-signer': text },
    } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, ...more] = positionals;
    const { log, rpc, 'memo-signer': signer } = values;
    if (file === undefined || more.length > 0 || (rpc === undefined) !== (signer === undefined))
      throw new Error(`usage: ${USAGE}`);
    const { sha256 } = NODE_PRIMITIVES;
    const policy = values.policy === undefined ? null : readPolicy(sha256, await readFile(values.policy, 'utf8'));
    const proof = JSON.parse(await readFile(file, 'utf8'));
    const vkeys = [...(values.vkey ?? []), ...(policy?.logs ?? [])];
    const known = vkeys.length === 0 ? {} : { vkeys };
    const before = values.before === undefined ? null : await readBefore(values.before, known);
    const verdict = await verifyProof(
      NODE_PRIMITIVES,
      proof,
      before ? { ...known, account: before.account, seen: before.newest } : known,
    );
    let fault: string | null = null;
    if (verdict.ok && policy) {
      const note = readNote(readTlogProof(proof.tlog)?.checkpoint ?? '') ?? { text: '', signatures: [] };
      const what = await policyFault(NODE_PRIMITIVES, note, policy);
      fault = what && `MISMATCH witnesses: ${what}`;
    }
    let memos: Memo[] = [];
    let keptMs = 0;
    let later: Checkpoint | null = null;
    let isPending = false;
    if (verdict.ok && fault === null && rpc && signer) {
      const solana = solanaRpc(rpc);
      const { size, origin } = verdict.checkpoint;
      memos = await memosOf(solana, { signer, origin });
      const anchor = { signer, program: MEMO_PROGRAM };
      const own = checkpointText(verdict.checkpoint);
      const what = memoFault(own, memos, anchor);
      later = what === null ? null : laterMemo(size, memos, anchor);
      const isNone = what !== null && !memos.some(({ text }) => readCheckpoint(text)?.size === size);
      const { atMs } = isNone && !later ? await keptFrom(solana) : { atMs: 0 };
      const endMs = endOfDay(verdict.record.day);
      isPending = what !== null && !later && Date.now() < endMs + MEMO_PENDING_MS && isMemoPending(own, memos, anchor);
      // The memo was written after the end of the day: a node that keeps less may have dropped it.
      if (atMs > endMs) keptMs = atMs;
      else fault = what && !later && !isPending ? `MISMATCH memo: ${what}` : null;
    }
    const last = verdict.ok ? (later ?? verdict.checkpoint) : null;
    const { seen, others } = comparable(memos, last && log !== undefined ? last.size : 0);
    if (before && before.checkpoint.origin === last?.origin) seen.push(before.checkpoint);
    let begun: string | null = null;
    if (verdict.ok && last && fault === null && log !== undefined) {
      const note = readTlogProof(proof.tlog)?.checkpoint ?? '';
      const found = await readLogAt(log, verdict.checkpoint, { last, seen, note, vkeys });
      fault = found.fault && `MISMATCH log: ${found.fault}`;
      begun = found.begun;
    }
    process.stdout.write(`${fault ?? verdict.text}\n`);
    if (!verdict.ok || fault !== null) return 1;
    // A file of another account or an old day holds as well.
    process.stderr.write(`Account ${verdict.account}, day ${verdict.record.day}.\n`);
    if (begun !== null) throw new Error(begun);
    if (keptMs > 0) {
      const since = new Date(keptMs).toISOString();
      throw new Error(`The node of Solana keeps nothing from before ${since}: give one that has all of it.`);
    }
    if (isPending)
      throw new Error(
        'The checkpoint of the file is not final on Solana yet: its day has ended less than an hour ago. Check it again later.',
      );
    if (later && log === undefined)
      throw new Error(
        'The checkpoint of the file is not on Solana (later memos exist): give the address of the log with --log.',
      );
    if (others > 0) {
      const why = log === undefined ? 'give its address with --log' : 'they are newer than the file';
      process.stderr.write(`${others} other memos of this log were not compared: ${why}.\n`);
    }
    if (verdict.signed || values.unsigned === true) return 0;
    process.stderr.write('The signature was not checked: give the key of the log with --vkey, or --unsigned.\n');
    return 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

/** Reads and verifies an older file. @throws Error when it does not hold */
async function readBefore(file: string, known: Known): Promise<Holds> {
  const verdict = await verifyProof(NODE_PRIMITIVES, JSON.parse(await readFile(file, 'utf8')), known);
  if (!verdict.ok) throw new Error(`The file of before: ${verdict.text}`);
  return verdict;
}

/** Returns the memo checkpoints that a log of this size must extend, and the number of others beside the file's. */
function comparable(memos: readonly Memo[], size: number): { seen: Checkpoint[]; others: number } {
  const all = memos.map(({ text }) => readCheckpoint(text)).filter((one) => one !== null);
  const seen = all.filter((one) => one.size <= size);
  return { seen, others: Math.max(0, all.length - Math.max(1, seen.length)) };
}

/** The log has no such file (404). */
class NotThere extends Error {}

/** What a log at an address is to a checkpoint. */
interface LogAt {
  /** The fault; null when it holds. */
  fault: string | null;
  /** Set when the log is a replacement for the one of the checkpoint. */
  begun: string | null;
}

/**
 * Checks the log at an address, up to the last of the checkpoints. Its records must make the root, extend what was seen and have each day
 * once; the last key up to the checkpoint must have signed it. The first record of a replacement log names the checkpoint's log.
 * @param last the checkpoint itself, or a later one on Solana in its place
 */
async function readLogAt(
  url: string,
  checkpoint: Checkpoint,
  {
    last,
    seen,
    note,
    vkeys,
  }: { last: Checkpoint; seen: readonly Checkpoint[]; note: string; vkeys: readonly string[] },
): Promise<LogAt> {
  const { sha256 } = NODE_PRIMITIVES;
  const address = url.replace(/\/$/, '');
  const read = async (path: string) => {
    const answer = await fetch(`${address}/${path}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    if (answer.status === 404) throw new NotThere(`${path} of the log answered 404`);
    if (!answer.ok) throw new Error(`${path} of the log answered ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const { origin } = checkpoint;
  const now = checkpointOf(new TextDecoder().decode(await read('checkpoint')));
  if (now !== null && now.origin !== origin) {
    const [first] = await readRecords(Math.min(1, now.size), read);
    const record = begunAfter(checkpoint, now, first ? recordText(first) : '');
    if (record === null)
      return {
        fault: `the one at this address is ${now.origin}, which does not name ${origin} as before it`,
        begun: null,
      };
    const when = new Date(record.atMs).toISOString();
    const begun = `The log at this address is another one, begun anew at ${when}: ${record.reason}. The records of ${origin} were not compared; ${address}/keys has its keys as "former".`;
    return { fault: null, begun };
  }
  const records = await readRecords(last.size, read).catch((error: unknown) => {
    // Only the checkpoint may come from a cache: then the log has its records.
    if (!(error instanceof NotThere) || now === null || now.size >= last.size) throw error;
    return null;
  });
  if (records === null) return { fault: now && historyFault(sha256, last, now, []), begun: null };
  const hashes = records.map((record) => recordHash(sha256, record));
  const texts = records.map(recordText);
  const fault =
    logFault(sha256, hashes, last, [checkpoint, ...seen]) ??
    dayRecordsFault(texts) ??
    (await keyFault(texts.slice(0, checkpoint.size), note, vkeys));
  return { fault, begun: null };
}

/** Checks that the key in the last key record is a known one and has signed: a rotated-out key does not suffice. */
async function keyFault(records: readonly string[], note: string, vkeys: readonly string[]): Promise<string | null> {
  // Before the first key record the first key signs, which no record names.
  const vkey = signingKey(records, '');
  if (vkeys.length === 0 || vkey === '') return null;
  const known = vkeys.filter((one) => one === vkey);
  return (await signedCheckpoint(NODE_PRIMITIVES, note, known))
    ? null
    : 'the key of its last record of a key has not signed';
}
