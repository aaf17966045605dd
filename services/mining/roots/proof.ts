import { sameBytes, toBase64 } from '@cord/contracts/proof/bytes';
import { type ChainEntry, chainEntry } from '@cord/contracts/proof/chain';
import { readDayRecord } from '@cord/contracts/proof/records';
import { leafNode } from '@cord/contracts/proof/sum-tree';
import type { ProofFile } from '@cord/contracts/proof/verify';
import { Problem } from '@cord/kit/problem';
import type { Account } from '../ledger/account.js';
import { sha256 } from '../ledger/chain.js';
import type { Ledger } from '../ledger/ledger.js';
import { entriesWaiting } from '../ledger/waiting.js';
import type { Reads } from '../store/reads.js';
import { dueDay } from './job.js';
import { findRow, headOf, leafOf, placeOf, rowsOf, TILE_LEAVES } from './leaves.js';
import { tlogOf } from './log.js';
import { rulesHash } from './rules.js';
import type { RecordDoc, RootStore } from './store.js';
import { pathOf } from './tree.js';

/** Number of entries per read. */
const PAGE = 1_000;

interface ProofParts {
  store: RootStore;
  ledger: Pick<Ledger, 'read'>;
  reads: Pick<Reads, 'entriesAfter'>;
  now: () => number;
  /** Returns the rules of a day, as known now. */
  rulesOf: (day: string) => string;
  /** Called when an account does not match the root of a day. */
  onMismatch: (userId: string, day: string) => void;
}

const noRoot = (what: string) => new Problem(404, 'no-root', what);

/** Returns the record of a day, or the last one, from the signed log. @throws Problem 404 when there is none, 409 `root-pending` */
export async function signedRecord({ store, now }: Pick<ProofParts, 'store' | 'now'>, day?: string) {
  const head = await store.lastHead();
  if (!head) throw noRoot('There is no root yet');
  const records = (await store.records()).slice(0, head._id);
  const last = records.findLast((one) => one.day !== '');
  const record = day === undefined ? last : records.find((one) => one.day === day);
  if (record) return { head, record, records };
  if (day !== undefined && day >= dueDay(now()) && day > (last?.day ?? ''))
    throw new Problem(409, 'root-pending', 'The root of this day is still to come');
  throw noRoot('There is no root of this day');
}

/**
 * Returns the proof of one's own ledger on a day: its entries, and the path from them to the signed log. An invalid
 * proof is returned as it is; the verifier names the difference.
 * @param day `2026-11-26`; default the last one
 * @param after number of an entry: entries up to it are left out
 * @throws Problem 404 when the account is in no root of that day, or its leaves were deleted; 409 `root-pending`
 */
export async function proofOf(
  parts: ProofParts,
  userId: string,
  { day, after = 0 }: { day?: string | undefined; after?: number } = {},
): Promise<ProofFile> {
  const { store, ledger } = parts;
  const { head, record, records } = await signedRecord(parts, day);
  const account = await ledger.read(userId);
  const place = placeOf(Buffer.from(record.shuffle, 'base64'), userId);
  const tile = account && (await store.tileWith(record.run, place));
  const found = tile && findRow(tile.rows, place);
  if (!account || account.erasedAtMs !== null || !tile || !found)
    throw noRoot('The root of this day does not have this account');
  const { n, node } = found.row;
  // Includes the last one, whose hash is in the leaf.
  const entries = await entriesUpTo(parts, account, n, Math.min(after, Math.max(0, n - 1)));
  const { salt } = account.chain;
  const leaf = leafOf(record.day, { account: userId, salt, n, head: headOf(userId, entries.at(-1)), sum: node.sum });
  if (!sameBytes(leafNode(sha256, leaf).hash, node.hash)) parts.onMismatch(userId, record.day);
  const index = tile.n * TILE_LEAVES + found.at;
  const tops = await store.tops(record.run);
  const path = pathOf(
    index,
    rowsOf(tile.rows).map((row) => row.node),
    tops,
  );
  return {
    version: 1,
    account: userId,
    opened: null,
    entries: entries.filter((entry) => Number(entry.n) > after),
    leaf,
    index,
    path: path.map(({ sum, hash }) => [String(sum), toBase64(hash)]),
    record: record.text,
    tlog: tlogOf(record._id, head, records as RecordDoc[]),
    rules: pinned(parts, record),
  };
}

/** Returns the rules that a record pins; undefined when the known rules differ. */
function pinned({ rulesOf }: ProofParts, { day, text }: Pick<RecordDoc, 'day' | 'text'>): string | undefined {
  const rules = rulesOf(day);
  return readDayRecord(text)?.rules === rulesHash(rules) ? rules : undefined;
}

/** Returns the entries up to one and at least those after another, of an account that was read before. An unwritten entry is in its outbox. */
async function entriesUpTo(
  { reads }: Pick<ProofParts, 'reads'>,
  account: Account,
  n: number,
  from: number,
): Promise<ChainEntry[]> {
  const found = new Map(entriesWaiting(account).map((entry) => [entry.n, entry]));
  for (let after = from; after < n; ) {
    const page = await reads.entriesAfter(account.userId, { n: after, of: account.chain.n }, PAGE);
    for (const entry of page) found.set(entry.n, entry);
    const last = page.at(-1);
    if (!last) break;
    after = last.n;
  }
  const inOrder = [...found.values()].sort((a, b) => a.n - b.n);
  return inOrder.filter((entry) => entry.n <= n).map(chainEntry);
}
