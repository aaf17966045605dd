import type { EpochRow } from '@cord/contracts/events/rewards';
import { EPOCH_NOTICE_MS, NOTICES_KEPT_MS } from '@cord/contracts/rules/notices';
import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';
import type { Lookups } from './lookups.js';
import { epochNotice, type NoticeText, type Reader } from './notice-text.js';

/** The table of epochs as its owner published it last: one document. */
interface TableDoc {
  _id: 'table';
  /** The version of that, and of this document. */
  seq: bigint;
  epochs: KnownEpoch[];
  /** Absent before the first one was published with its time. */
  books?: AnnouncedRules[];
}

/** An epoch as it was published last. */
export interface KnownEpoch extends EpochRow {
  /** The version of the table that moved its beginning last; absent where none has. */
  movedSeq?: string;
}

/** A rule book of the table, as far as users see of it that it comes. */
interface AnnouncedRules {
  version: number;
  /** First ms at which it holds, since epoch. */
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

/** A million users see an epoch, and a change of the rules, by one row: it is no notice of each. */
export function openEpochs(connection: Connection) {
  const tables = EPOCHS.in(connection);
  const read = async (): Promise<Table> => {
    const { epochs = [], books = [] } = (await tables.findOne({ _id: 'table' })) ?? {};
    return { epochs, books };
  };
  return {
    /** Keeps a table unless a later one is there. @returns whether it announces rules that the table before did not have */
    async keep(seq: bigint, { epochs, books }: Table) {
      const isThere = { $setOnInsert: { seq: -1n, epochs: [] } };
      await tables.updateOne({ _id: 'table' }, isThere, { upsert: true });
      // What a newer release keeps of an epoch beside these fields stays with it.
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

/** What is known of an epoch, as news: one that is moved is other news, since users have the time that holds no more. */
export const newsKeyOf = ({ id, movedSeq }: KnownEpoch): string => (movedSeq === undefined ? id : `${id}:${movedSeq}`);

/** When users see an epoch, ms since epoch. */
export const epochAtMs = ({ startAt }: Pick<EpochRow, 'startAt'>): number => startAt - EPOCH_NOTICE_MS;

/**
 * Epochs that a user sees at a time: from a day before they begin, for as long as a notice is kept, and none of before
 * the user joined. The first epoch of a new system begins with it and is no news.
 */
export function epochsShown(epochs: readonly KnownEpoch[], joinedAtMs: number, nowMs: number): KnownEpoch[] {
  return epochs.filter((epoch) => {
    const atMs = epochAtMs(epoch);
    return atMs <= nowMs && nowMs < atMs + NOTICES_KEPT_MS && joinedAtMs <= atMs;
  });
}

/** Changes of the rules that a user sees at a time: for as long as a notice is kept, and none that was announced before the user joined. */
export function rulesShown(books: readonly AnnouncedRules[], joinedAtMs: number, nowMs: number): AnnouncedRules[] {
  return books.filter(({ announcedAtMs: atMs }) => {
    return atMs <= nowMs && nowMs < atMs + NOTICES_KEPT_MS && joinedAtMs <= atMs;
  });
}

/** The text about an epoch for one user: with what the own running node will earn in it, while it is to come. */
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
