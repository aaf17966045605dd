import type { EpochRow } from '@cord/contracts/events/rewards';
import { EPOCH_NOTICE_MS, NOTICES_KEPT_MS } from '@cord/contracts/rules/notices';
import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';
import type { Lookups } from './lookups.js';
import { epochNotice, type NoticeText, type Reader } from './notice-text.js';

/** The table of epochs as last published by its owner: one document. */
interface TableDoc {
  _id: 'table';
  /** Version of the table, and of this document. */
  seq: bigint;
  epochs: KnownEpoch[];
  /** Absent until a book with its announcement time is published. */
  books?: AnnouncedRules[];
}

/** An epoch as last published. */
export interface KnownEpoch extends EpochRow {
  /** Version of the table that last moved its beginning; absent without one. */
  movedSeq?: string;
}

/** An announced rule book, as far as users see it. */
interface AnnouncedRules {
  version: number;
  /** First ms at which it is in force, since epoch. */
  fromMs: number;
  /** ms since epoch. */
  announcedAtMs: number;
}

/** Epochs and announced rule books. */
interface Table {
  epochs: KnownEpoch[];
  books: AnnouncedRules[];
}

export const EPOCHS = collection<TableDoc>({ name: 'epochs' });

export type EpochCopy = ReturnType<typeof openEpochs>;

/** The stored table of epochs and rule changes. One row serves all users: it is not a notice for each. */
export function openEpochs(connection: Connection) {
  const tables = EPOCHS.in(connection);
  const read = async (): Promise<Table> => {
    const { epochs = [], books = [] } = (await tables.findOne({ _id: 'table' })) ?? {};
    return { epochs, books };
  };
  return {
    /** Stores a newer table. @returns whether it announces rules that were not in the former table */
    async keep(seq: bigint, { epochs, books }: Table) {
      const ifAbsent = { $setOnInsert: { seq: -1n, epochs: [] } };
      await tables.updateOne({ _id: 'table' }, ifAbsent, { upsert: true });
      // Fields of an epoch that only a newer release knows are preserved.
      const before = await read();
      const rows = epochs.map((row) => {
        const known = before.epochs.find(({ id }) => id === row.id);
        const isMoved = known !== undefined && known.startAt !== row.startAt;
        return { ...known, ...row, ...(isMoved ? { movedSeq: String(seq) } : {}) };
      });
      const { modifiedCount } = await tables.updateOne(
        { _id: 'table', seq: { $lt: seq } },
        { $set: { seq, epochs: rows, books } },
      );
      const known = new Set(before.books.map(({ version }) => version));
      return modifiedCount > 0 && books.some(({ version }) => !known.has(version));
    },
    all: async () => (await read()).epochs,
    table: read,
  };
}

/** Returns the key of an epoch's news. A moved epoch is new news, since users know the former time. */
export const announcementKeyOf = ({ id, movedSeq }: KnownEpoch): string =>
  movedSeq === undefined ? id : `${id}:${movedSeq}`;

/** When an epoch appears in the users' lists, ms since epoch. */
export const epochAtMs = ({ startAt }: Pick<EpochRow, 'startAt'>): number => startAt - EPOCH_NOTICE_MS;

/**
 * Returns the epochs that a user sees at a time: from a day before their beginning, for as long as a notice is kept,
 * and none from before the user joined. The first epoch of a new system begins with it and is not shown.
 */
export function epochsShown(epochs: readonly KnownEpoch[], joinedAtMs: number, nowMs: number): KnownEpoch[] {
  return epochs.filter((epoch) => {
    const atMs = epochAtMs(epoch);
    return atMs <= nowMs && nowMs < atMs + NOTICES_KEPT_MS && joinedAtMs <= atMs;
  });
}

/** Returns the rule changes that a user sees at a time: for as long as a notice is kept, and none announced before the user joined. */
export function rulesShown(books: readonly AnnouncedRules[], joinedAtMs: number, nowMs: number): AnnouncedRules[] {
  return books.filter(({ announcedAtMs: atMs }) => {
    return atMs <= nowMs && nowMs < atMs + NOTICES_KEPT_MS && joinedAtMs <= atMs;
  });
}

/** Returns the text about an epoch for one user; before its beginning, with the future rate of the user's running node. */
export async function textOfEpoch(
  epoch: EpochRow,
  {
    userId,
    table,
    reader,
    lookups,
  }: { userId: string; table: readonly EpochRow[]; reader: Reader; lookups: Pick<Lookups, 'running'> },
): Promise<NoticeText> {
  const running = reader.nowMs >= epoch.startAt ? null : await lookups.running(userId);
  if (!running) return epochNotice({ ...epoch, rateNano: null }, reader);
  const { rateNano, atMs } = running;
  const from = table.find(({ startAt, endAt }) => startAt <= atMs && atMs < endAt)?.multiplierHundredths ?? 100;
  // Exact: the rate is a product of its factors (services/mining/ledger/README.md#accrual).
  return epochNotice({ ...epoch, rateNano: (rateNano * BigInt(epoch.multiplierHundredths)) / BigInt(from) }, reader);
}
