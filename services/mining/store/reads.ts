import type { Source } from '@cord/contracts/events/balance';
import type { TimeSpan } from '@cord/kit/page';
import { createShared } from '@cord/kit/shared';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { firstMatching } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import type { Account, Entry, FinishedDay } from '../ledger/account.js';
import type { SessionRecord } from '../ledger/session-record.js';
import {
  ACCOUNTS,
  type AccountDoc,
  DAYS,
  ENTRIES,
  type EntryDoc,
  EPOCHS,
  type EpochsDoc,
  SESSIONS,
} from './collections.js';
import { entryOf, sessionOf } from './ledger-store.js';
import { type RunningSample, readRunning } from './running.js';

/** Ids of the first accounts that are due and that the filter takes, at most `limit`. */
export type DueAccounts = (limit: number, takes: IdFilter) => Promise<string[]>;

/** How long a sample of the running nodes is shown, ms. */
const SAMPLE_KEPT_MS = 10_000;

/** The index that holds a user's entries in order. */
const IN_ORDER = { userId: 1, seq: -1 } as const;

/** What the hours of a day are made of. */
export type MinedEntry = Pick<Entry, 'key' | 'atMs' | 'amountMicro' | 'facts'>;
const MINED_FIELDS = { atMs: 1, amountMicro: 1, facts: 1 } as const;

/** An account as it was read: entries that were written since are of a later state, in which what stands open here is one of them. */
type AsRead = Pick<Account, 'userId' | 'seq'>;

/** More than the days of the longest range. */
const DAYS_AT_ONCE = 400;

/** What routes, sweeps and requests read beside single accounts; every list has a limit. */
export interface Reads {
  /** Active nodes whose lease has ended, the longest ago first. */
  expiredLeases(nowMs: number): DueAccounts;
  /** Accounts whose commission stands open since before a time, the longest first. */
  openCommissions(beforeMs: number): DueAccounts;
  /** Accounts whose node is to forget its addresses, the longest due first. */
  dueToForget(nowMs: number): DueAccounts;
  /** Entries of a user below a seq, the newest first. */
  entries(userId: string, belowSeq: bigint, limit: number): Promise<Entry[]>;
  /**
   * Entries of a user after one of the chain up to another one, the oldest first. They are found along the index of all: numbers have no gaps, so that the place of an
   * entry from the newest follows from its number.
   * @param after n of the entry, and how many the chain had when the account was read
   */
  entriesAfter(userId: string, after: { n: number; of: number }, limit: number): Promise<Entry[]>;
  /**
   * Those of one source among the next so many entries below a seq. They are read along the index of all: one by source and seq would
   * be one more write with each entry.
   * @returns down to which seq was looked, itself left out; null: to the end
   */
  entriesAmong(
    userId: string,
    source: Source,
    belowSeq: bigint,
    most: { found: number; looked: number },
  ): Promise<{ entries: Entry[]; downTo: bigint | null }>;
  /** How many entries of a user are written, of one source or of all, without some. */
  countEntries(userId: string, source: Source | null, without: readonly string[]): Promise<number>;
  /** Entries of an account from some sources since a time, the newest first. */
  entriesOf(of: AsRead, sources: readonly Source[], sinceMs: number, limit: number): Promise<Entry[]>;
  /** An account's entries of mining since a time, the oldest first, up to the first one after another time: that one was earned before it, too. */
  minedFrom(of: AsRead, fromMs: number, untilMs: number): Promise<MinedEntry[]>;
  /** What an account's entries from some sources since a time come to, micro-CORD, without those of some keys. */
  sumOf(of: AsRead, sources: readonly Source[], sinceMs: number, without: readonly string[]): Promise<bigint>;
  /** Days that are over, from one day key to another, both included; by the range of their ids. */
  days(userId: string, first: string, last: string): Promise<FinishedDay[]>;
  /** Ended and paused sessions of a user that began in a span, the newest first. */
  sessions(userId: string, span: TimeSpan, limit: number): Promise<SessionRecord[]>;
  /** Those that began in a span, and the last one before it, the newest first. */
  sessionsTo(userId: string, fromMs: number, belowMs: number): Promise<SessionRecord[]>;
  session(userId: string, sessionId: string): Promise<SessionRecord | null>;
  /** The nodes that run, as they were a few seconds ago: several tried changes, one after the other, read the store once. */
  running(nowMs: number): Promise<RunningSample>;
  epochs(): Promise<EpochsDoc | null>;
  /** Stores a table in place of the version that was read, null for none: nothing where another stands, or where it was refused. */
  saveEpochs(table: EpochsDoc, afterVersion: bigint | null): Promise<void>;
  /** Refuses a version for good, unless it is stored, or a later one. */
  refuseEpochs(version: bigint): Promise<void>;
}

export function createReads(store: Connection): Reads {
  const accounts = ACCOUNTS.in(store);
  const allEntries = ENTRIES.in(store);
  const days = DAYS.in(store);
  const sessions = SESSIONS.in(store);
  const epochs = EPOCHS.in(store);
  const drawn = createShared<RunningSample>(SAMPLE_KEPT_MS);
  const due =
    (filter: mongo.Filter<AccountDoc>, order: mongo.Sort): DueAccounts =>
    async (limit, takes) => {
      const found = accounts.find(filter, { projection: { _id: 1 } }).sort(order);
      return (await firstMatching(found, limit, takes)).map(({ _id }) => _id);
    };
  return {
    running: (nowMs) => drawn.get(nowMs, () => readRunning(accounts, { nowMs, from: Math.random() })),
    expiredLeases: (nowMs) =>
      due({ leaseHintMs: { $lte: nowMs }, 'node.leaseUntilMs': { $lte: nowMs } }, { leaseHintMs: 1 }),
    openCommissions: (beforeMs) => due({ commissionSinceMs: { $lt: beforeMs } }, { commissionSinceMs: 1 }),
    dueToForget: (nowMs) => due({ forgetAtMs: { $lte: nowMs } }, { forgetAtMs: 1 }),
    async entries(userId, belowSeq, limit) {
      const docs = await allEntries.find(below(userId, belowSeq)).sort({ seq: -1 }).limit(limit).toArray();
      return docs.map(entryOf);
    },
    async entriesAfter(userId, { n, of }, limit) {
      // Entries that are not written yet lead to an earlier one, new ones to a later one.
      let edge: Pick<EntryDoc, 'seq' | 'n'> | undefined;
      for (let skipped = Math.max(0, of - n); ; skipped += edge.n - n) {
        [edge] = await allEntries
          .find({ userId }, { projection: { _id: 0, seq: 1, n: 1 } })
          .hint(IN_ORDER)
          .sort({ seq: -1 })
          .skip(skipped)
          .limit(1)
          .toArray();
        if (!edge || edge.n <= n) break;
      }
      const docs = await allEntries
        .find({ userId, ...(edge ? { seq: { $gt: edge.seq } } : {}), n: { $gt: n, $lte: of } })
        .hint(IN_ORDER)
        .sort({ seq: 1 })
        .limit(limit)
        .toArray();
      return docs.map(entryOf);
    },
    async entriesAmong(userId, source, belowSeq, { found, looked }) {
      const [edge] = await allEntries
        .find(below(userId, belowSeq), { projection: { _id: 0, seq: 1 } })
        .hint(IN_ORDER)
        .sort({ seq: -1 })
        .skip(looked)
        .limit(1)
        .toArray();
      const docs = await allEntries
        .find({ $and: [below(userId, belowSeq), edge ? { seq: { $gt: edge.seq } } : {}], source })
        .hint(IN_ORDER)
        .sort({ seq: -1 })
        .limit(found)
        .toArray();
      return { entries: docs.map(entryOf), downTo: edge?.seq ?? null };
    },
    countEntries: (userId, source, without) =>
      allEntries.countDocuments({
        userId,
        ...(source === null ? {} : { source }),
        ...(without.length === 0 ? {} : { _id: { $nin: [...without] } }),
      }),
    async entriesOf({ userId, seq }, sources, sinceMs, limit) {
      const docs = await allEntries
        .find({ userId, source: { $in: [...sources] }, atMs: { $gte: sinceMs }, seq: { $lte: seq } })
        .sort({ atMs: -1 })
        .limit(limit)
        .toArray();
      return docs.map(entryOf);
    },
    async minedFrom({ userId, seq }, fromMs, untilMs) {
      const found: MinedEntry[] = [];
      const inTime = allEntries
        .find({ userId, source: 'mining', atMs: { $gte: fromMs }, seq: { $lte: seq } }, { projection: MINED_FIELDS })
        .sort({ atMs: 1 });
      for await (const { _id: key, atMs, amountMicro, facts } of inTime) {
        found.push({ key, atMs, amountMicro, facts });
        if (atMs > untilMs) break;
      }
      return found;
    },
    async sumOf({ userId, seq }, sources, sinceMs, without) {
      const ofThem = { userId, source: { $in: [...sources] }, atMs: { $gte: sinceMs } };
      const where = { ...ofThem, seq: { $lte: seq }, _id: { $nin: [...without] } };
      const [found] = await allEntries
        .aggregate<{ micro: bigint | number }>([
          { $match: where },
          { $group: { _id: null, micro: { $sum: '$amountMicro' } } },
        ])
        .toArray();
      return BigInt(found?.micro ?? 0);
    },
    async days(userId, first, last) {
      const within = { $gte: `${userId}:${first}`, $lte: `${userId}:${last}` };
      // A year in one answer: the store would give a hundred, and the rest with the next request. And as it lies there: taking fields out costs more than they do.
      return days.find({ userId, _id: within }).batchSize(DAYS_AT_ONCE).toArray();
    },
    async sessions(userId, { fromMs, belowMs }, limit) {
      const docs = await sessions
        .find({ userId, startedAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ startedAtMs: -1 })
        .limit(limit)
        .toArray();
      return docs.map(sessionOf);
    },
    async sessionsTo(userId, fromMs, belowMs) {
      const found: SessionRecord[] = [];
      const inTime = sessions.find({ userId, startedAtMs: { $lt: belowMs } }).sort({ startedAtMs: -1 });
      for await (const doc of inTime) {
        found.push(sessionOf(doc));
        if (doc.startedAtMs < fromMs) break;
      }
      return found;
    },
    async session(userId, sessionId) {
      const doc = await sessions.findOne({ _id: sessionId, userId });
      return doc ? sessionOf(doc) : null;
    },
    epochs: () => epochs.findOne({ _id: 'table' }),
    async saveEpochs(table, afterVersion) {
      if (afterVersion === null) await insertOnce(() => epochs.insertOne(table));
      else {
        const { _id, ...set } = table;
        const notRefused = { $or: [{ refused: { $exists: false } }, { refused: { $lt: set.version } }] };
        await epochs.updateOne({ _id, version: afterVersion, ...notRefused }, { $set: set });
      }
    },
    async refuseEpochs(version) {
      await epochs.updateOne({ _id: 'table', version: { $lt: version } }, { $max: { refused: version } });
    },
  };
}

/** A user's entries below a seq. */
function below(userId: string, seq: bigint) {
  return { userId, seq: { $lt: seq } };
}
