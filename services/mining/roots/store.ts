import { isDeepStrictEqual } from 'node:util';
import type { SumNode } from '@cord/contracts/proof/sum-tree';
import { collection } from '@cord/kit/collection';
import { insertOnce } from '@cord/kit/store-errors';
import { LRUCache } from 'lru-cache';
import type { Connection, mongo } from 'mongoose';
import { ACCOUNTS } from '../store/collections.js';
import type { RootAccount } from './leaves.js';

/**
 * An immutable record of a log; `_id` is its index. The record of a key, and the first one of a log that was begun
 * anew, have no day, run or accounts. Stored, `_id` counts over all logs.
 */
export interface RecordDoc {
  _id: number;
  /** Name of the log that begins with it; absent for the first log. */
  origin?: string;
  /** The day of the root, `2026-11-26`; empty in the record of a key. */
  day: string;
  text: string;
  /** The run that made it, as in its tiles. */
  run: string;
  /** Key of the places of that day, base64. */
  shuffle: string;
  /** Number of leaves. */
  accounts: number;
  atMs: number;
}

/** 256 leaves of a day's tree. */
export interface TileDoc {
  /** `<run>:<number>` */
  _id: string;
  run: string;
  /** Number of the tile. */
  n: number;
  /** Place of the first leaf. */
  first: Buffer;
  rows: Buffer;
  /** The node above all of the leaves. */
  sum: bigint;
  hash: Buffer;
  atMs: number;
}

/** The only root of a log of some size; `_id` is the size. Stored, it is the number of records of all logs. */
export interface HeadDoc {
  _id: number;
  /** base64 */
  root: string;
  /** The signed note; absent until it is signed. */
  checkpoint?: string;
  /** Memo of the checkpoint on Solana; absent until one is signed. */
  memo?: MemoDoc;
  /** Cosignatures of the checkpoint by witnesses. */
  cosignatures?: CosignatureDoc[];
}

/** A cosignature of a witness. */
interface CosignatureDoc {
  /** Key of the witness. */
  vkey: string;
  /** Its line under the checkpoint. */
  line: string;
}

/** A memo of a checkpoint on Solana, stored before it is sent. */
export interface MemoDoc {
  signature: string;
  /** The account that signed it, base58. */
  signer: string;
  /** The signed transaction, base64; empty when the memo was found on Solana. */
  wire: string;
  /** Height of the last block that can include it. */
  lastBlock: number;
  /** Its slot; absent until it is final. */
  slot?: number;
  /** Time of its signature, then of its final state, ms. */
  atMs: number;
}

/** Immutable name and first key of a log. Each later key has a record. */
export interface LogDoc {
  /** `log` for the first one, else the stored id of its first record. */
  _id: string;
  origin: string;
  vkey: string;
}

/** Mark of an imported log that is not confirmed, beside the names (infra/dev/backup/load.ts). */
export interface RestoredDoc {
  _id: 'restored';
  /** Imported records of all logs: a log that begins after them is not part of it. With none, it is the first log, which users may have seen. */
  records: number;
}

/** Filter for the records of days. */
const OF_DAY = { day: { $ne: '' } };
/** Picks the document with the highest id. */
const NEWEST = { sort: { _id: -1 } } as const;

export const ROOT_RECORDS = collection<RecordDoc>({
  name: 'root_records',
  indexes: [{ key: { day: 1 } }, { key: { origin: 1 }, sparse: true }],
});
export const ROOT_TILES = collection<TileDoc>({
  name: 'root_tiles',
  indexes: [{ key: { run: 1, n: 1 } }, { key: { run: 1, first: 1 } }, { key: { atMs: 1 } }],
});
export const ROOT_HEADS = collection<HeadDoc>({ name: 'root_heads' });
export const ROOT_LOG = collection<LogDoc & Partial<Pick<RestoredDoc, 'records'>>>({ name: 'root_log' });

/** Maximum number of cosignatures of a checkpoint: a note has at most 16 signatures, two of them by the log. */
export const COSIGNATURES_MAX = 12;
/** Days whose top nodes are cached: a proof needs all of its day, 3,907 for a million accounts. They never change. */
const TOPS_KEPT = 3;
/** The nodes above the tiles of a run, for the runs that were read last. */
type Tops = LRUCache<string, SumNode[]>;

function keptTops(connection: Connection): Tops {
  return new LRUCache<string, SumNode[]>({
    max: TOPS_KEPT,
    async fetchMethod(run) {
      const found = ROOT_TILES.in(connection).find({ run }, { projection: { sum: 1, hash: 1 } });
      const docs = await found.sort({ n: 1 }).toArray();
      return docs.map(({ sum, hash }) => ({ sum: BigInt(sum), hash: new Uint8Array(bytesOf(hash)) }));
    },
  });
}

/** Cache of immutable data, for all logs of one opener. */
interface Kept {
  tops: Tops;
  /** The records of a log at the last read, with the newest one as stored. */
  records: { base: number; newest: RecordDoc; all: readonly RecordDoc[] } | null;
  /** The last finished day before the first account, found by a scan. */
  emptyDay: string;
}

const nothingKept = (connection: Connection): Kept => ({ tops: keptTops(connection), records: null, emptyDay: '' });

const bytesOf = (value: unknown) => Buffer.from((value as mongo.Binary).value());

/** Accounts per batch of the scan, so that the store, too, serves others in between. */
const BATCH = 1_000;
const TILES_AT_ONCE = 64;

export type RootStore = ReturnType<typeof createRootStore>;

/** Identifies a log: the stored id of its first record, and its name unless it is the first log. */
interface WhichLog {
  base: number;
  origin: string | null;
}

const FIRST_LOG: WhichLog = { base: 0, origin: null };
/** Returns the log that begins with this record; null stands for the first log. */
const logOf = (first: RecordDoc | null): WhichLog =>
  first?.origin === undefined ? FIRST_LOG : { base: first._id, origin: first.origin };

/** @returns a function that opens the newest log: a run or a response keeps the log with which it began */
export function logOpener(connection: Connection): () => Promise<RootStore> {
  const kept = nothingKept(connection);
  return async () => {
    const first = await ROOT_RECORDS.in(connection).findOne({ origin: { $exists: true } }, NEWEST);
    return createRootStore(connection, logOf(first), kept);
  };
}

/** Opens the newest log, for one operation. */
export const newestLog = (connection: Connection): Promise<RootStore> => logOpener(connection)();

/**
 * Records, tiles and heads of one log, and the accounts for the scan. Each call is one operation, or idempotent. A log
 * opened before another one was begun signs nothing of the new one.
 */
export function createRootStore(
  connection: Connection,
  { base, origin }: WhichLog = FIRST_LOG,
  kept: Kept = nothingKept(connection),
) {
  const records = ROOT_RECORDS.in(connection);
  const tiles = ROOT_TILES.in(connection);
  const heads = ROOT_HEADS.in(connection);
  const log = ROOT_LOG.in(connection);
  const restored = log as unknown as mongo.Collection<RestoredDoc>;
  const logId = base === 0 ? 'log' : String(base);
  const tileOf = (doc: TileDoc): TileDoc => ({
    ...doc,
    first: bytesOf(doc.first),
    rows: bytesOf(doc.rows),
    hash: bytesOf(doc.hash),
  });
  /** Ids count within the log; stored, they count over all logs. */
  const own = <Doc extends { _id: number }>(doc: Doc | null): Doc | null => doc && { ...doc, _id: doc._id - base };
  const ownRecord = { _id: { $gte: base } };
  const ownHead = { _id: { $gt: base } };
  const pendingOf = (size: number, signature: string) => ({
    _id: base + size,
    'memo.signature': signature,
    'memo.slot': { $exists: false },
  });
  return {
    /** The name from its first record; null for the first log. */
    origin,
    accounts(): AsyncIterable<RootAccount> {
      const fields = { chain: 1, balanceMicro: 1, open: 1, openCommission: 1, erasedAtMs: 1, openedAtMs: 1 } as const;
      return ACCOUNTS.in(connection).find({}, { projection: fields }).sort({ _id: 1 }).batchSize(BATCH) as never;
    },
    /**
     * Returns all records in order. They are read again only when the newest stored record has changed.
     * @throws Error when another log was begun meanwhile
     */
    async records(): Promise<readonly RecordDoc[]> {
      const last = await records.findOne(ownRecord, NEWEST);
      if (last && kept.records?.base === base && isDeepStrictEqual(kept.records.newest, last)) return kept.records.all;
      const found = await records.find(ownRecord).sort({ _id: 1 }).toArray();
      if (found.some((record, at) => record.origin !== undefined && (at > 0 || origin === null)))
        throw new Error('a new log was begun meanwhile');
      const all = found.map((record) => ({ ...record, _id: record._id - base }));
      const newest = found.at(-1);
      kept.records = newest ? { base, newest, all } : null;
      return all;
    },
    /** Returns whether a scan of this process found no account on a day: that never changes. */
    isEmpty: async (day: string) => kept.emptyDay === day,
    async noteEmpty(day: string) {
      kept.emptyDay = day;
    },
    /** Returns the last record of a day. */
    lastRecord: async () => own(await records.findOne({ ...OF_DAY, ...ownRecord }, NEWEST)),
    /** Returns the first record of a day. */
    firstDay: async () => own(await records.findOne({ ...OF_DAY, ...ownRecord }, { sort: { _id: 1 } })),
    /** Returns the last record of a day in a log of this size. */
    lastDayOf: async (size: number) =>
      own(await records.findOne({ ...OF_DAY, _id: { $gte: base, $lt: base + size } }, NEWEST)),
    /** @returns false when another record has the index */
    addRecord: (record: RecordDoc) =>
      insertOnce(() => records.insertOne({ ...record, _id: base + record._id } as never)),
    async addTiles(docs: readonly TileDoc[]): Promise<void> {
      for (let from = 0; from < docs.length; from += TILES_AT_ONCE)
        await tiles.insertMany(docs.slice(from, from + TILES_AT_ONCE) as never);
    },
    dropTiles: (run: string) => tiles.deleteMany({ run }),
    /** Deletes the tiles of old days and of failed runs. */
    dropTilesBefore: (ms: number) => tiles.deleteMany({ atMs: { $lt: ms } }),
    /** Returns all rows of a run in order. */
    async rows(run: string): Promise<Buffer> {
      const docs = await tiles
        .find({ run }, { projection: { rows: 1 } })
        .sort({ n: 1 })
        .toArray();
      return Buffer.concat(docs.map(({ rows }) => bytesOf(rows)));
    },
    /** Returns the nodes above the tiles of a recorded run, in order. */
    tops: async (run: string): Promise<SumNode[]> => (await kept.tops.fetch(run)) ?? [],
    /** Returns the tile of a run that covers a place. */
    async tileWith(run: string, place: Buffer): Promise<TileDoc | null> {
      const doc = await tiles.findOne({ run, first: { $lte: place } } as never, { sort: { first: -1 } });
      return doc ? tileOf(doc) : null;
    },
    /** Returns the head of a size, inserting the given root when there is none yet. */
    async head(size: number, root: string): Promise<HeadDoc | null> {
      await insertOnce(() => heads.insertOne({ _id: base + size, root }));
      return this.headOf(size);
    },
    async signHead(size: number, root: string, checkpoint: string): Promise<void> {
      await heads.updateOne({ _id: base + size, root, checkpoint: { $exists: false } }, { $set: { checkpoint } });
    },
    lastHead: async () => own(await heads.findOne({ checkpoint: { $exists: true }, ...ownHead }, NEWEST)),
    /**
     * Returns the newest record of a day in a signed head; of the former log while this one has none.
     * @param end the stored id of the last head to consider
     */
    async lastSigned(end = Number.MAX_SAFE_INTEGER): Promise<RecordDoc | null> {
      const ownHeads = { _id: { $gt: base, $lte: end } };
      const head = own(await heads.findOne({ checkpoint: { $exists: true }, ...ownHeads }, NEWEST));
      const day = head && (await this.lastDayOf(head._id));
      if (day || base === 0) return day;
      const before = await records.findOne({ origin: { $exists: true }, _id: { $lt: base } }, NEWEST);
      return createRootStore(connection, logOf(before), kept).lastSigned(base);
    },
    headOf: async (size: number) => own(await heads.findOne({ _id: base + size })),
    /** Returns the head whose memo is signed and not final, or null. */
    pendingMemo: async () =>
      own(await heads.findOne({ memo: { $exists: true }, 'memo.slot': { $exists: false }, ...ownHead })),
    /** Returns the newest head whose memo is final. */
    lastMemo: async () => own(await heads.findOne({ 'memo.slot': { $exists: true }, ...ownHead }, NEWEST)),
    /** @returns false when the head already has a memo */
    startMemo: async (size: number, memo: MemoDoc): Promise<boolean> =>
      (await heads.updateOne({ _id: base + size, memo: { $exists: false } }, { $set: { memo } })).modifiedCount === 1,
    async confirmMemo(size: number, signature: string, { slot, atMs }: { slot: number; atMs: number }): Promise<void> {
      await heads.updateOne(pendingOf(size, signature), { $set: { 'memo.slot': slot, 'memo.atMs': atMs } });
    },
    /** Returns the newest head that a witness has signed. */
    lastCosigned: async (vkey: string) => own(await heads.findOne({ 'cosignatures.vkey': vkey, ...ownHead }, NEWEST)),
    /** Adds the cosignature of a witness, once, unless the checkpoint has the maximum number. */
    async addCosignature(size: number, cosignature: CosignatureDoc): Promise<void> {
      const isFull = `cosignatures.${COSIGNATURES_MAX - 1}`;
      const filter = { _id: base + size, 'cosignatures.vkey': { $ne: cosignature.vkey }, [isFull]: { $exists: false } };
      await heads.updateOne(filter, { $push: { cosignatures: cosignature } });
    },
    /** Removes a memo that can no longer land. */
    async dropMemo(size: number, signature: string): Promise<void> {
      await heads.updateOne(pendingOf(size, signature), { $unset: { memo: '' } });
    },
    /** Returns name and key of the log, inserting the given ones when it has none yet. */
    async log(first?: Omit<LogDoc, '_id'>): Promise<LogDoc | null> {
      if (first) await insertOnce(() => log.insertOne({ _id: logId, ...first }));
      return log.findOne({ _id: logId });
    },
    /** Returns whether the log is from a backup and not yet confirmed by an operator. */
    async isRestored(): Promise<boolean> {
      const mark = await restored.findOne({ _id: 'restored' });
      return mark !== null && (mark.records === 0 ? origin === null : base < mark.records);
    },
    confirmRestored: () => restored.deleteOne({ _id: 'restored' }),
  };
}
