import { documentSchema, upgrade } from '@cord/kit/document-schema';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import { type Line, NO_TALLY } from './domain/sums.js';
import type { SumStore } from './sums.js';

export const SUMS = 'sums';
export const TOTALS = 'totals';

/** A line as it is stored, with short names: 256 of them stay under 16 KB. */
interface StoredLine {
  /** seq */
  s: bigint;
  /** counted, micro-CORD */
  c: bigint;
  /** returned */
  r?: true;
}

/** Up to 256 friends of one referrer. */
interface SumDocument {
  _id: string;
  seq: bigint;
  size: number;
  friends: number;
  sumMicro: bigint;
  lines: Record<string, StoredLine>;
}

/**
 * What the buckets of one referrer come to. It stands beside the member's record, not in it: of 391 buckets it takes some
 * 22 KB, and nobody ever reads them all. An event reads and writes one entry, and moves the sum of them by the difference in
 * the same write; a payment reads the sum alone.
 */
interface TotalsDocument {
  _id: string;
  buckets?: Record<string, { seq: bigint; sum: bigint; friends: number }>;
  sumMicro?: bigint;
  friends?: number;
  bonusMicro?: bigint;
}

/** The schemas that buckets and their totals have had. */
export const BUCKET = documentSchema<SumDocument>('referral bucket');
export const TOTAL = documentSchema<TotalsDocument>('referral total');

export function openSumStore(connection: Connection): SumStore {
  const sums = connection.collection<SumDocument>(SUMS);
  const totals = connection.collection<TotalsDocument>(TOTALS);
  const upsert = (_id: string, update: mongo.UpdateFilter<TotalsDocument>) =>
    totals.updateOne({ _id }, update, { upsert: true });
  const idOf = (referrerId: string, index: number) => `${referrerId}:${index}`;
  return {
    async bucket(referrerId, index, friendId) {
      const projection = {
        seq: 1,
        size: 1,
        friends: 1,
        sumMicro: 1,
        schemaVersion: 1,
        ...(friendId ? { [`lines.${friendId}`]: 1 } : {}),
      };
      const found = await sums.findOne({ _id: idOf(referrerId, index) }, { projection });
      if (!found) return null;
      const { seq, size, friends, sumMicro, lines } = upgrade(found, BUCKET);
      const line = friendId ? lines?.[friendId] : undefined;
      return { seq, size, friends, sumMicro, line: line ? read(line) : null };
    },
    async addBucket(referrerId, index, { seq, size, friends, sumMicro }, lines) {
      const stored = Object.fromEntries(Object.entries(lines).map(([id, line]) => [id, written(line)]));
      return insertOnce(() =>
        sums.insertOne({ _id: idOf(referrerId, index), seq, size, friends, sumMicro, lines: stored }),
      );
    },
    async moveLine(referrerId, index, friendId, before, after) {
      const { seq, size, friends, sumMicro } = after;
      const moved = await sums.updateOne(
        { _id: idOf(referrerId, index), seq: before },
        { $set: { [`lines.${friendId}`]: written(after.line), seq, size, friends, sumMicro } },
      );
      return moved.matchedCount === 1;
    },
    async countedIn(referrerId, index, friendIds) {
      const projection = Object.fromEntries(friendIds.map((friendId) => [`lines.${friendId}.c`, 1]));
      const found = await sums.findOne({ _id: idOf(referrerId, index) }, { projection });
      return new Map(Object.entries(found?.lines ?? {}).map(([friendId, { c }]) => [friendId, c]));
    },
    async entry(referrerId, index) {
      const found = await totals.findOne(
        { _id: referrerId },
        { projection: { [`buckets.${index}`]: 1, schemaVersion: 1 } },
      );
      const entry = found && upgrade(found, TOTAL).buckets?.[index];
      return entry ? { seq: entry.seq, friends: entry.friends, sumMicro: entry.sum } : null;
    },
    async moveEntry(referrerId, index, before, { seq, friends, sumMicro }) {
      const place = `buckets.${index}`;
      const update = {
        $set: { [place]: { seq, sum: sumMicro, friends } },
        $inc: { sumMicro: sumMicro - (before?.sumMicro ?? 0n), friends: friends - (before?.friends ?? 0) },
      };
      const guard = { _id: referrerId, [`${place}.seq`]: before ? before.seq : { $exists: false } };
      if (before) return (await totals.updateOne(guard, update)).matchedCount === 1;
      return insertOnce(() => totals.updateOne(guard, update, { upsert: true }));
    },
    async totals(referrerId) {
      const projection = { sumMicro: 1, friends: 1, bonusMicro: 1, schemaVersion: 1 };
      const found = await totals.findOne({ _id: referrerId }, { projection });
      if (!found) return NO_TALLY;
      const { sumMicro = 0n, friends = 0, bonusMicro = 0n } = upgrade(found, TOTAL);
      return { sumMicro, friends, bonusMicro };
    },
    raiseBonus: (referrerId, bonusMicro) => made(() => upsert(referrerId, { $max: { bonusMicro } })),
  };
}

const read = ({ s, c, r }: StoredLine): Line => ({ seq: s, countedMicro: c, returned: r === true });
const written = ({ seq, countedMicro, returned }: Line): StoredLine => ({
  s: seq,
  c: countedMicro,
  ...(returned ? { r: returned } : {}),
});

/** Makes a write that may meet another's making of the same document: then it is there, and is changed. */
async function made(write: () => Promise<unknown>): Promise<void> {
  if (!(await insertOnce(write))) await write();
}
