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

/** Returns the ids of the first due accounts that the filter accepts, at most `limit`. */
export type DueAccounts = (limit: number, takes: IdFilter) => Promise<string[]>;

/** How long a sample of the running nodes is cached, ms. */
const SAMPLE_KEPT_MS = 10_000;

/** The index of a user's entries in order. */
const IN_ORDER = { userId: 1, seq: -1 } as const;

/** The fields of an entry for the hours of a day. */
export type MinedEntry = Pick<Entry, 'key' | 'atMs' | 'amountMicro' | 'facts'>;
const MINED_FIELDS = { atMs: 1, amountMicro: 1, facts: 1 } as const;

/** An account as read: later entries belong to a later state, and may include what is open in this one. */
type AsRead = Pick<Account, 'userId' | 'seq'>;

/** Batch size, above the number of days in the longest range. */
const DAYS_AT_ONCE = 400;

/** Reads for routes, sweeps and requests beyond single accounts. Every list has a limit. */
export type Reads = ReturnType<typeof createReads>;

export function createReads(store: Connection) {
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
    /** Returns a sample of the running nodes, a few seconds old at most, so that several tried changes read the store once. */
    running: (nowMs: number) => drawn.get(nowMs, () => readRunning(accounts, { nowMs, from: Math.random() })),
    /** Active nodes with an expired lease, oldest first. */
    expiredLeases: (nowMs: number) =>
      due({ leaseHintMs: { $lte: nowMs }, 'node.leaseUntilMs': { $lte: nowMs } }, { leaseHintMs: 1 }),
    /** Accounts with commission open since before a time, oldest first. */
    openCommissions: (beforeMs: number) => due({ commissionSinceMs: { $lt: beforeMs } }, { commissionSinceMs: 1 }),
    /** Accounts whose node must forget its addresses, longest due first. */
    dueToForget: (nowMs: number) => due({ forgetAtMs: { $lte: nowMs } }, { forgetAtMs: 1 }),
    /** Returns entries of a user below a seq, newest first. */
    async entries(userId: string, belowSeq: bigint, limit: number) {
      const docs = await allEntries.find(entriesBelow(userId, belowSeq)).sort({ seq: -1 }).limit(limit).toArray();
      return docs.map(entryOf);
    },
    /**
     * Returns a user's entries after one of the chain, up to another, oldest first. They are found by the index in
     * order: numbers have no gaps, so the distance from the newest follows from the number.
     * @param after n of the entry, and the length of the chain when the account was read
     */
    async entriesAfter(userId: string, { n, of }: { n: number; of: number }, limit: number) {
      // Unwritten entries make the skip end at an earlier entry, new ones at a later one.
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
    /**
     * Returns the entries of one source within a limited scan below a seq. It uses the index in order: an index by
     * source and seq would cost one more write per entry.
     * @returns the seq below which the scan continues; null at the end
     */
    async entriesAmong(
      userId: string,
      source: Source,
      belowSeq: bigint,
      { found, looked }: { found: number; looked: number },
    ) {
      const [edge] = await allEntries
        .find(entriesBelow(userId, belowSeq), { projection: { _id: 0, seq: 1 } })
        .hint(IN_ORDER)
        .sort({ seq: -1 })
        .skip(looked)
        .limit(1)
        .toArray();
      const docs = await allEntries
        .find({ $and: [entriesBelow(userId, belowSeq), edge ? { seq: { $gt: edge.seq } } : {}], source })
        .hint(IN_ORDER)
        .sort({ seq: -1 })
        .limit(found)
        .toArray();
      return { entries: docs.map(entryOf), downTo: edge?.seq ?? null };
    },
    /** Counts a user's stored entries, of one source or of all, without some keys. */
    countEntries: (userId: string, source: Source | null, without: readonly string[]) =>
      allEntries.countDocuments({
        userId,
        ...(source === null ? {} : { source }),
        ...(without.length === 0 ? {} : { _id: { $nin: [...without] } }),
      }),
    /** Returns an account's entries from some sources since a time, newest first. */
    async entriesOf({ userId, seq }: AsRead, sources: readonly Source[], sinceMs: number, limit: number) {
      const docs = await allEntries
        .find({ userId, source: { $in: [...sources] }, atMs: { $gte: sinceMs }, seq: { $lte: seq } })
        .sort({ atMs: -1 })
        .limit(limit)
        .toArray();
      return docs.map(entryOf);
    },
    /** Returns an account's mining entries since a time, oldest first, up to the first one after another time: part of that one was earned before it. */
    async minedFrom({ userId, seq }: AsRead, fromMs: number, untilMs: number) {
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
    /** Sums an account's entries from some sources since a time, without those of some keys, micro-CORD. */
    async sumOf({ userId, seq }: AsRead, sources: readonly Source[], sinceMs: number, without: readonly string[]) {
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
    /** Returns finished days between two day keys, both included, by the range of their ids. */
    async days(userId: string, first: string, last: string): Promise<FinishedDay[]> {
      const within = { $gte: `${userId}:${first}`, $lte: `${userId}:${last}` };
      // Reads a year in one batch instead of the default of about 100 documents. No projection: it costs more than the extra fields.
      return days.find({ userId, _id: within }).batchSize(DAYS_AT_ONCE).toArray();
    },
    /** Returns ended and paused sessions of a user that began in a time span, newest first. */
    async sessions(userId: string, { fromMs, belowMs }: TimeSpan, limit: number) {
      const docs = await sessions
        .find({ userId, startedAtMs: { $gte: fromMs, $lt: belowMs } })
        .sort({ startedAtMs: -1 })
        .limit(limit)
        .toArray();
      return docs.map(sessionOf);
    },
    /** Returns the sessions that began in a time span, and the last one before it, newest first. */
    async sessionsTo(userId: string, fromMs: number, belowMs: number) {
      const found: SessionRecord[] = [];
      const inTime = sessions.find({ userId, startedAtMs: { $lt: belowMs } }).sort({ startedAtMs: -1 });
      for await (const doc of inTime) {
        found.push(sessionOf(doc));
        if (doc.startedAtMs < fromMs) break;
      }
      return found;
    },
    async session(userId: string, sessionId: string) {
      const doc = await sessions.findOne({ _id: sessionId, userId });
      return doc ? sessionOf(doc) : null;
    },
    epochs: () => epochs.findOne({ _id: 'table' }),
    /** Stores a table in place of the version that was read, null for none. No effect when another version is stored, or this one was refused. */
    async saveEpochs(table: EpochsDoc, afterVersion: bigint | null) {
      if (afterVersion === null) await insertOnce(() => epochs.insertOne(table));
      else {
        const { _id, ...set } = table;
        const notRefused = { $or: [{ refused: { $exists: false } }, { refused: { $lt: set.version } }] };
        await epochs.updateOne({ _id, version: afterVersion, ...notRefused }, { $set: set });
      }
    },
    /** Refuses a version for good, unless it or a later one is stored. */
    async refuseEpochs(version: bigint) {
      await epochs.updateOne({ _id: 'table', version: { $lt: version } }, { $max: { refused: version } });
    },
  };
}

/** Filters a user's entries below a seq. */
function entriesBelow(userId: string, seq: bigint) {
  return { userId, seq: { $lt: seq } };
}
