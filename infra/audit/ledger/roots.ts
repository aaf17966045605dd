import { sameBytes, toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { dayRecordsFault, logFault } from '@cord/contracts/proof/history';
import { recordHash } from '@cord/contracts/proof/log-tree';
import { keptFrom, MEMO_PROGRAM, memoFault, memosOf, type SolanaRpc } from '@cord/contracts/proof/memos';
import {
  type Checkpoint,
  checkpointOf,
  checkpointText,
  readCheckpoint,
  readNote,
  signedCheckpoint,
} from '@cord/contracts/proof/note';
import { readDayRecord, readKeyRecord, readLogRecord } from '@cord/contracts/proof/records';
import { type Leaf, leafNode, sumJoin } from '@cord/contracts/proof/sum-tree';
import { rootOf } from '@cord/contracts/proof/tree';
import { NODE_PRIMITIVES } from '@cord/contracts/proof/verify-file';
import type { mongo } from 'mongoose';
import type * as Leaves from '../../../services/mining/roots/leaves.js';
import type { HeadDoc, LogDoc, RecordDoc, TileDoc } from '../../../services/mining/roots/store.js';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import { finding, type OnFinding } from '../findings.js';
import { entriesWaiting } from './waiting.js';

/** Mining's functions for building and storing leaves of accounts. */
export type RootRules = Pick<typeof Leaves, 'findRow' | 'headOf' | 'leafOf' | 'placeOf' | 'presentLeaf' | 'rowsOf'>;

/** The result of an audit of the log of daily roots. */
export interface RootsAudited {
  /** Number of records in the log. */
  records: number;
  /** Day of the last record; null before the first. */
  lastDay: string | null;
  /** Number of accounts checked against the last root. */
  accounts: number;
  /** Number of memos of the log read on Solana; null when not read. */
  memos: number | null;
  /** Number of memos that the Solana node no longer keeps. */
  memosNotKept: number;
  findings: number;
  driftMicro: bigint;
}

const { sha256 } = NODE_PRIMITIVES;

/** One of the logs: each after the first begins with a record that names its predecessor. */
interface OneLog {
  /** Name and first key; absent until it is signed. */
  log: LogDoc | undefined;
  records: RecordDoc[];
  /** Signed heads, sorted by size of the log. */
  heads: HeadDoc[];
  /** Its last state as named by the next log; null for the newest log. */
  last: Checkpoint | null;
}

/**
 * Audits the logs. Records must match every signed checkpoint, a restarted log must name its predecessor, and the leaves must match the last root.
 * Each account must match its leaf, now or at that time. It is safe while the system runs: records never change, and accounts only gain entries.
 * @param solana a node for reading the memos; null without one
 * @param now current time, ms since epoch: a day that has not ended must have no record
 * @throws Error when the node does not respond
 */
export async function auditRoots(
  mining: mongo.Db,
  rules: RootRules,
  onFinding: OnFinding,
  { solana = null, now = () => Number.POSITIVE_INFINITY }: { solana?: SolanaRpc | null; now?: () => number } = {},
): Promise<RootsAudited> {
  const of = 'the log of roots';
  let findings = 0;
  const wrong = (what: string, whose = of) => {
    findings += 1;
    onFinding(finding(whose, what));
  };
  const logs = await logsOf(mining, wrong);
  for (const [at, one] of logs.entries()) await auditLog(one, logs[at - 1], now(), wrong);
  const records = logs.flatMap((one) => one.records);
  const last = logs.at(-1)?.records.findLast(({ day }) => day !== '') ?? null;
  const accounts = last ? await auditLast(mining, rules, last, wrong) : 0;
  const isRead = solana !== null && records.length > 0;
  const memos = isRead ? await auditMemos(mining, solana, logs, wrong) : { memos: null, memosNotKept: 0 };
  const lastDay = last?.day ?? null;
  return { records: records.length, lastDay, accounts, ...memos, findings, driftMicro: BigInt(findings) };
}

async function logsOf(mining: mongo.Db, wrong: (what: string) => void): Promise<OneLog[]> {
  // Heads are read first: a record added meanwhile is in none of them.
  const heads = await mining.collection<HeadDoc>('root_heads').find().sort({ _id: 1 }).toArray();
  const named = await mining.collection<LogDoc>('root_log').find().toArray();
  const records = await mining.collection<RecordDoc>('root_records').find().sort({ _id: 1 }).toArray();
  for (const [at, { _id }] of records.entries()) if (_id !== at) wrong(`record ${at} is missing`);
  // A log restarted after all records were lost contains record 0.
  const bases = [...new Set([0, ...records.filter(({ origin }) => origin !== undefined).map(({ _id }) => _id)])];
  return bases.map((base, at) => {
    const end = bases[at + 1] ?? Number.POSITIVE_INFINITY;
    const begun = readLogRecord(records.find(({ _id }) => _id === end)?.text ?? '');
    const log = named.find(({ _id }) => _id === (base === 0 ? 'log' : String(base)));
    const own = records.filter(({ _id }) => _id >= base && _id < end);
    // A log restored from a backup may have been restarted before it was signed here.
    const name = log?.origin ?? own[0]?.origin ?? begun?.before[0]?.origin;
    return {
      log,
      records: own,
      heads: heads.filter(({ _id }) => _id > base && _id <= end).map((head) => ({ ...head, _id: head._id - base })),
      last: begun?.before.find(({ origin }) => origin === name) ?? null,
    };
  });
}

/** Checks one log against its own records, and against its predecessor. */
async function auditLog(
  { log, records, heads }: OneLog,
  former: OneLog | undefined,
  nowMs: number,
  wrong: (what: string) => void,
) {
  const hashes = records.map(({ text }) => recordHash(sha256, utf8(text)));
  for (const { _id, day, text, origin } of records) {
    if (origin !== undefined) {
      if (readLogRecord(text)?.origin !== origin || (former && !goesOn(former)))
        wrong(`record ${_id} does not begin a log after the previous one`);
    } else if (day === '' ? !readKeyRecord(text) : readDayRecord(text)?.day !== day)
      wrong(`record ${_id} is not the record of ${day || 'a key'}`);
  }
  const days = dayRecordsFault(
    records.map(({ text }) => text),
    nowMs,
  );
  if (days) wrong(days);
  const vkeys = [log?.vkey ?? '', ...records.flatMap(({ text }) => readKeyRecord(text)?.vkey ?? [])];
  for (const { _id: size, root, checkpoint } of heads) {
    if (checkpoint === undefined) continue;
    const signed = await signedCheckpoint(NODE_PRIMITIVES, checkpoint, vkeys);
    if (!signed) wrong(`the checkpoint of size ${size} is not signed by the key of the log`);
    const read = signed ?? checkpointOf(checkpoint);
    if (read?.size !== size || toBase64(read.root) !== root) wrong(`the checkpoint of size ${size} has another root`);
    else if (logFault(sha256, hashes.slice(0, size), read, []))
      wrong(`its records do not yield the root of size ${size}`);
  }
}

/** Whether the next log's first record names the present state of a log. It may also name later records, which the store has lost. */
function goesOn({ records, last }: OneLog): boolean {
  if (!last || last.size < records.length) return false;
  const hashes = records.map(({ text }) => recordHash(sha256, utf8(text)));
  // A restored store has less of that log than users saw.
  return last.size > records.length || logFault(sha256, hashes, last, []) === null;
}

/** Checks the memos on Solana against the checkpoints. @returns their number, and the number of those no longer kept by the node */
async function auditMemos(
  mining: mongo.Db,
  solana: SolanaRpc,
  logs: readonly OneLog[],
  wrong: (what: string) => void,
): Promise<{ memos: number; memosNotKept: number }> {
  const textOf = ({ checkpoint }: HeadDoc) => readNote(checkpoint ?? '')?.text ?? '';
  const signers = new Set(logs.flatMap(({ heads }) => heads.flatMap(({ memo }) => memo?.signer ?? [])));
  let found = 0;
  let notKept = 0;
  for (const { log, heads, records, last } of logs)
    for (const signer of signers) {
      const memos = await memosOf(solana, { signer, origin: log?.origin ?? '' });
      const kept = await keptFrom(solana);
      found += memos.length;
      for (const head of heads.filter(({ memo }) => memo?.signer === signer && memo.slot !== undefined)) {
        const fault = memoFault(textOf(head), memos, { signer, program: MEMO_PROGRAM });
        const isOld =
          (head.memo?.slot ?? 0) < kept.slot && !memos.some(({ text }) => readCheckpoint(text)?.size === head._id);
        if (fault && isOld) notKept += 1;
        else if (fault) wrong(`the checkpoint of size ${head._id} is not on Solana: ${fault}`);
      }
      // A checkpoint may have been signed since the heads were read: its memo belongs to the log, too.
      const present = await mining.collection<HeadDoc>('root_heads').find().toArray();
      for (const { text, signature } of memos)
        if (!present.some((head) => textOf(head) === text) && !isLost(text, records.length, last))
          wrong(`the memo ${signature} matches no checkpoint of the log`);
    }
  return { memos: found, memosNotKept: notKept };
}

/** Whether a memo belongs to records that a restored store has lost: the next log begins after them. */
function isLost(text: string, stored: number, last: Checkpoint | null): boolean {
  const { size = 0 } = readCheckpoint(text) ?? {};
  if (last === null || size <= stored || size > last.size) return false;
  return size < last.size || text === checkpointText(last);
}

/**
 * Checks the leaves of the last root against its record, and each account against its leaf, however many entries it has
 * gained. The daily job deletes leaves only after it has created newer ones, so those of the last root always exist.
 * @returns number of accounts in the root
 */
async function auditLast(
  mining: mongo.Db,
  rules: RootRules,
  last: RecordDoc,
  wrong: (what: string, whose?: string) => void,
): Promise<number> {
  const stored = await mining.collection<TileDoc>('root_tiles').find({ run: last.run }).sort({ n: 1 }).toArray();
  const tiles = stored.map(({ rows, sum, hash }) => ({ rows: bytesOf(rows), sum: BigInt(sum), hash: bytesOf(hash) }));
  const rows = Buffer.concat(tiles.map((tile) => tile.rows));
  const leaves = rules.rowsOf(rows).length;
  if (leaves !== last.accounts) wrong(`${leaves} of ${last.accounts} leaves of the root of ${last.day} were found`);
  else if (!makeRootOf(tiles, rules, last.text)) wrong(`its leaves do not yield the root of ${last.day}`);
  const key = Buffer.from(last.shuffle, 'base64');
  let met = 0;
  for await (const account of mining.collection<AccountDoc>('accounts').find()) {
    const found = rules.findRow(rows, rules.placeOf(key, account._id));
    if (!found) continue;
    met += 1;
    if (account.erasedAtMs !== null) continue;
    const { n, node } = found.row;
    const fault = await leafFault(mining, rules, account, { day: last.day, n, hash: node.hash });
    if (fault) wrong(fault, `account ${account._id}`);
  }
  if (met !== leaves) wrong(`${leaves - met} accounts of the root of ${last.day} are missing`);
  return met;
}

const bytesOf = (value: unknown) => Buffer.from((value as mongo.Binary).value());

/** Whether the tiles yield the root and total of a record, and each tile its stored node. */
function makeRootOf(
  tiles: readonly Pick<TileDoc, 'rows' | 'sum' | 'hash'>[],
  { rowsOf }: RootRules,
  text: string,
): boolean {
  const [record, join] = [readDayRecord(text), sumJoin(sha256)];
  const tops = inRange(() =>
    tiles.map(({ rows }) =>
      rootOf(
        rowsOf(rows).map(({ node }) => node),
        join,
      ),
    ),
  );
  const areKept = tops?.every(({ sum, hash }, at) => sum === tiles[at]?.sum && sameBytes(hash, tiles[at].hash));
  const top = tops && inRange(() => rootOf(tops, join));
  return areKept === true && top !== null && toBase64(top.hash) === record?.root && top.sum === record.total;
}

/** @returns the difference between an account and its leaf of a day, which covers `n` entries; null without one */
async function leafFault(
  mining: mongo.Db,
  { headOf, leafOf, presentLeaf }: RootRules,
  account: AccountDoc,
  { day, n, hash }: { day: string; n: number; hash: Uint8Array },
): Promise<string | null> {
  const { _id: userId, chain } = account;
  if (chain.n < n) return `it has ${chain.n} entries, the root of ${day} has ${n}`;
  const is = (leaf: Leaf) => {
    const own = inRange(() => leafNode(sha256, leaf));
    return own !== null && sameBytes(own.hash, hash) ? null : `it differs from the root of ${day}`;
  };
  if (chain.n === n) return is(presentLeaf(day, account));
  const end = n === 0 ? undefined : await entryOf(mining, account, n);
  if (end === null) return `its entry ${n}, the last in the root of ${day}, is missing`;
  return is(
    leafOf(day, { account: userId, salt: chain.salt, n, head: headOf(userId, end), sum: end?.balanceMicro ?? 0n }),
  );
}

/** Returns an entry by its number: from the outbox, else from the store, searched from the newest. */
async function entryOf(
  mining: mongo.Db,
  account: AccountDoc,
  n: number,
): Promise<Pick<EntryDoc, 'hash' | 'balanceMicro'> | null> {
  const waiting = entriesWaiting(account).find((entry) => entry.n === n);
  const entries = mining.collection<EntryDoc>('entries');
  return waiting ?? entries.findOne({ userId: account._id, n }, { sort: { seq: -1 }, hint: { userId: 1, seq: -1 } });
}

/** @returns null for a sum that no balance can have */
function inRange<R>(compute: () => R): R | null {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
