import { toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { type ChainEntry, chainStart, entryHash, miningFacts } from '@cord/contracts/proof/chain';
import { bundleBytes, logJoin, recordHash } from '@cord/contracts/proof/log-tree';
import { checkpointText, readCheckpoint, signatureLine, signedNote, vkeyOf } from '@cord/contracts/proof/note';
import { dayRecordText, logRecordText, tlogProofText } from '@cord/contracts/proof/records';
import { type Leaf, leafNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { levels, pathIn, rootOf } from '@cord/contracts/proof/tree';
import { ed25519 } from '@noble/curves/ed25519';
import { checkLedger } from './check';
import { NOBLE } from './noble';
import type { ReadLog } from './read-parts';
import type { RunCheck } from './run-check';

/* A ledger, a day and a signed log that pass a check, created in the browser. */

const { sha256 } = NOBLE;
const ORIGIN = 'cord.example/ledger';

/** Creates a key of the log. */
function keyOf(seed: string, origin = ORIGIN) {
  const secret = sha256(utf8(seed));
  const own = ed25519.getPublicKey(secret);
  return {
    vkey: vkeyOf(sha256, origin, own),
    line: (text: string) => signatureLine(sha256, origin, own, ed25519.sign(utf8(text), secret)),
  };
}
export const KEY = keyOf('a key of tests');
export const NEXT_KEY = keyOf('the next key of tests');
export const THIRD_KEY = keyOf('the key after the next of tests');
/** Name and key of a restarted log. */
const SECOND = `${ORIGIN}/2`;
export const SECOND_KEY = keyOf('a key of tests', SECOND);

/** Runs the check in the page: tests and the catalogue have no worker. */
export const checkHere: RunCheck = (input) => checkLedger(NOBLE, structuredClone(input));

/** Returns hourly entries of an account up to a time. */
export function entriesUntil(account: string, count: number, endMs: number): ChainEntry[] {
  const entries: ChainEntry[] = [];
  let [previous, balance] = [chainStart(sha256, account), 0n];
  for (let n = 1; n <= count; n += 1) {
    const isMined = n % 4 !== 0;
    const amount = isMined ? 115_500_000n : 55_000_001n;
    balance += amount;
    const entry: ChainEntry = {
      n: String(n),
      seq: String(n * 3),
      key: isMined ? `mining:${account}:${n * 3}` : `task:${n}:${account}:once`,
      source: isMined ? 'mining' : 'task',
      amount: String(amount),
      balance: String(balance),
      at: String(endMs - (count - n) * 3_600_000),
      reason: isMined ? 'Mining at 1.925 CORD/min' : 'Join the server',
      facts: isMined ? miningFacts(1_925_000_000n, 3_600_000, 0n) : '',
      hash: '',
    };
    entry.hash = entryHash(sha256, previous, entry);
    previous = entry.hash;
    entries.push(entry);
  }
  return entries;
}

/** Returns the signed log of some records. @param index of the proved record */
export function logOfRecords(
  records: readonly string[],
  { keys = [KEY], index = records.length - 1, origin = ORIGIN } = {},
) {
  const hashes = records.map((record) => recordHash(sha256, utf8(record)));
  const join = logJoin(sha256);
  const text = checkpointText({ origin, size: records.length, root: rootOf(hashes, join) });
  const lines = keys.map((key) => key.line(text));
  const checkpoint = signedNote(text, lines);
  const tlog = tlogProofText({ index, path: pathIn(levels(hashes, join), index), checkpoint });
  const read: ReadLog = async (path) => (path === 'checkpoint' ? utf8(checkpoint) : bundleBytes(records.map(utf8)));
  return { text, checkpoint, tlog, read };
}

/** A day on which the account is the second of three, in a log with earlier days. */
export function sampleCheckOf(
  account: string,
  day: string,
  { count = 24, daysBefore = 3, rules = undefined as string | undefined } = {},
) {
  const entries = entriesUntil(account, count, Date.parse(`${day}T23:41:00Z`));
  const last = entries.at(-1) as ChainEntry;
  const leafOf = (id: string, sum: string): Leaf => ({
    ...{ day, account: id, n: last.n, head: last.hash, sum, who: '' },
    salt: toBase64(sha256(utf8(`${id} ${day}`)).slice(0, 16)),
  });
  const leaf = leafOf(account, last.balance);
  const leaves = [leafOf('a'.repeat(32), '7000000'), leaf, leafOf('b'.repeat(32), '120000000')];
  const tree = levels(
    leaves.map((one) => leafNode(sha256, one)),
    sumJoin(sha256),
  );
  const top = tree.at(-1)?.[0];
  if (!top) throw new RangeError('a day has leaves');
  const none = toBase64(sha256(utf8('none')));
  const recordOf = (of: string) =>
    dayRecordText({
      ...{ day: of, accounts: leaves.length, total: top.sum, root: toBase64(top.hash) },
      ...{ rules: rules === undefined ? none : toBase64(sha256(utf8(rules))), verifier: none, erased: 0 },
    });
  const before = Array.from({ length: daysBefore }, (_, n) => {
    const ms = Date.parse(`${day}T00:00:00Z`) - (daysBefore - n) * 86_400_000;
    return recordOf(new Date(ms).toISOString().slice(0, 10));
  });
  const record = recordOf(day);
  const records = [...before, record];
  const log = logOfRecords(records);
  const path = pathIn(tree, 1).map(({ sum, hash }) => [String(sum), toBase64(hash)]);
  const ofRules = rules === undefined ? {} : { rules };
  const { tlog } = log;
  const proof = { version: 1 as const, account, opened: null, entries, leaf, index: 1, path, record, tlog, ...ofRules };
  const at = new Date(Date.parse(`${day}T00:10:03Z`) + 86_400_000).toISOString();
  const root = { record, at, checkpoint: log.checkpoint, memo: null, memoSigner: null, cosignatures: [] };
  return {
    proof,
    root,
    log,
    records,
    keys: { keys: [{ vkey: KEY.vkey, from: 0, to: null, vouched: null }], begun: null as string | null },
  };
}

/** Restarts the sample's log: a first record that names a checkpoint of the previous log, and the day of the sample. */
export function begunAnew(sample: ReturnType<typeof sampleCheckOf>, seen: string, { atMs = 0, reason = 'Why' } = {}) {
  const last = readCheckpoint(seen);
  if (!last) throw new RangeError('this is no checkpoint');
  const begun = logRecordText({ origin: SECOND, before: [last], atMs, reason });
  const log = logOfRecords([begun, sample.proof.record], { keys: [SECOND_KEY], origin: SECOND });
  sample.log = log;
  sample.proof.tlog = log.tlog;
  sample.root.checkpoint = log.checkpoint;
  sample.keys = { keys: [{ vkey: SECOND_KEY.vkey, from: 0, to: null, vouched: null }], begun };
}
