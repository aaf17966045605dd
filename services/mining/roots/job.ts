import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { toBase64 } from '@cord/contracts/proof/bytes';
import { dayRecordText } from '@cord/contracts/proof/records';
import { leafNode } from '@cord/contracts/proof/sum-tree';
import { DAY_MS, dayKey, dayStartOf } from '@cord/contracts/rules/days';
import { sha256 } from '../ledger/chain.js';
import { findRow, firstPlace, placeOf, presentLeaf, type RootAccount, Rows, rowsOf } from './leaves.js';
import { addKey, isNewKey, type LogParts, signLog } from './log.js';
import type { RecordDoc, TileDoc } from './store.js';
import { rootOfTops, topOf } from './tree.js';

/** Delay after the end of a day before its root is made, ms: entries of its last hour are stored by then. */
const AFTER_MS = 600_000;
/** How long the tiles of a day are kept, ms. */
const TILES_KEPT_MS = 35 * DAY_MS;
/** Accounts, and tiles of 256, between two yields to the event loop. They bound the delay of a save. */
const ACCOUNTS_AT_A_TIME = 250;
const TILES_AT_A_TIME = 4;
/** Accounts between two renewals of the lease. */
const HELD_EACH = 5_000;

/** Dependencies of the job. */
export interface RootParts extends LogParts {
  /** Hashes that the record pins, base64: of the day's rules, and of the verifier. */
  rules: (day: string) => string;
  verifier: string;
}

/** Returns the day of the next record: the last day that ended at least ten minutes ago. */
export const dueDay = (nowMs: number): string => dayKey(nowMs - AFTER_MS - DAY_MS);

/**
 * Makes the root of the last day and signs the log, if missing. An interrupted run is completed by the next one.
 * @param hold takes and prolongs the lease; false when another replica has it
 * @throws Error when an account does not match the previous root, or the log is from a backup: then nothing is published
 */
export async function makeRoot(parts: RootParts, nowMs: number, hold: () => Promise<boolean>): Promise<void> {
  const { store } = parts;
  // Another root of a size that was signed after the backup would be a fork.
  if (await store.isRestored())
    throw new Error(
      'the log came out of a backup, and users may have seen more of it: "npx cord log continue" or "npx cord log begin" decides',
    );
  // The size is read first: a record that another replica adds meanwhile takes this index.
  const { length: size } = await store.records();
  const last = await store.lastRecord();
  const isDue = last === null ? !(await store.isEmpty(dueDay(nowMs))) : last.day < dueDay(nowMs);
  const isSigned = size === 0 || (await store.headOf(size))?.checkpoint !== undefined;
  const isNew = await isNewKey(parts);
  if (!isDue && isSigned && !isNew) return;
  if (!(await hold())) return;
  // Every size is signed before the next record. The first size of a new key is signed by the former one too.
  if (!isSigned) await signLog(parts, nowMs);
  if (isNew) {
    await addKey(parts, nowMs);
    // Another replica has used its index.
    if (await isNewKey(parts)) return;
    await signLog(parts, nowMs);
  }
  const index = isNew ? size + 1 : size;
  if (isDue && (await addRecord(parts, { last, index }, nowMs, hold))) await signLog(parts, nowMs);
}

/** @returns false when there is nothing to publish, or another replica has the lease */
async function addRecord(
  { store, rules, verifier }: RootParts,
  { last, index }: { last: RecordDoc | null; index: number },
  nowMs: number,
  hold: () => Promise<boolean>,
): Promise<boolean> {
  const day = dueDay(nowMs);
  const shuffle = randomBytes(32);
  const before = last && { ...last, key: Buffer.from(last.shuffle, 'base64'), rows: await store.rows(last.run) };
  const rows = new Rows();
  let [looked, met, erased, eldestMs] = [0, 0, 0, Number.POSITIVE_INFINITY];
  for await (const account of store.accounts()) {
    const isErased = account.erasedAtMs !== null;
    if (before && wasInRoot(before, account)) {
      met += 1;
      if (isErased) erased += 1;
    }
    if (!isErased) rows.add(placeOf(shuffle, account._id), presentLeaf(day, account));
    eldestMs = Math.min(eldestMs, account.openedAtMs);
    looked += 1;
    if (looked % ACCOUNTS_AT_A_TIME === 0) await breathe();
    if (looked % HELD_EACH === 0 && !(await hold())) return false;
  }
  if (before && met !== before.accounts)
    throw new Error(`${before.accounts - met} accounts of the root of ${before.day} are missing`);
  // Nothing is published before the first day with an account.
  if (rows.count === 0 || (last === null && eldestMs >= dayStartOf(day) + DAY_MS)) {
    await store.noteEmpty(day);
    return false;
  }
  const run = randomUUID();
  const tiles: TileDoc[] = [];
  for (const tile of rows.tiles()) {
    const n = tiles.length;
    const { sum, hash } = topOf(rowsOf(tile).map(({ node }) => node));
    const doc = { run, n, first: firstPlace(tile), rows: tile, sum, hash: Buffer.from(hash), atMs: nowMs };
    tiles.push({ _id: `${run}:${n}`, ...doc });
    if (tiles.length % TILES_AT_A_TIME === 0) await breathe();
  }
  const top = rootOfTops(tiles);
  const root = toBase64(top.hash);
  const text = dayRecordText({ day, accounts: rows.count, total: top.sum, root, rules: rules(day), verifier, erased });
  await store.addTiles(tiles);
  const record = { _id: index, day, text, run, shuffle: shuffle.toString('base64'), accounts: rows.count, atMs: nowMs };
  if (!(await store.addRecord(record))) await store.dropTiles(run);
  await store.dropTilesBefore(nowMs - TILES_KEPT_MS);
  return true;
}

/**
 * Returns whether an account was in the previous root.
 * @throws Error when it has fewer or other entries than then: the store was set back or changed
 */
function wasInRoot(before: { day: string; key: Buffer; rows: Buffer }, account: RootAccount): boolean {
  const found = findRow(before.rows, placeOf(before.key, account._id));
  if (!found) return false;
  if (account.erasedAtMs !== null) return true;
  const { n, node } = found.row;
  if (account.chain.n < n)
    throw new Error(`account ${account._id} has ${account.chain.n} entries, the root of ${before.day} has ${n}`);
  if (account.chain.n > n) return true;
  const same = leafNode(sha256, presentLeaf(before.day, account));
  if (Buffer.compare(same.hash, node.hash) !== 0)
    throw new Error(`account ${account._id} does not match the root of ${before.day}`);
  return true;
}
