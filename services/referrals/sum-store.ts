import { collection } from '@cord/kit/collection';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import type { Line, Tally } from './domain/sums.js';
import type { SumStore } from './sums.js';

/** A stored line, with short names: 256 of them stay under 16 KB. */
interface StoredLine {
  /** seq */
  s: bigint;
  /** counted, micro-CORD */
  c: bigint;
  /** returned */
  r?: true;
}

/** Up to 256 friends of one referrer. */
export interface SumDocument {
  /** Referrer id and bucket number. */
  _id: string;
  seq: bigint;
  size: number;
  friends: number;
  sumMicro: bigint;
  lines: Record<string, StoredLine>;
}

export const SUMS = collection<SumDocument>({ name: 'sums', document: 'referral bucket' });

export function openSumStore(connection: Connection): SumStore {
  const sums = SUMS.in(connection);
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
      const { seq, size, friends, sumMicro, lines } = SUMS.read(found);
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
    async tally(referrerId) {
      // Matches by id, which never changes: an index that contains the sum could return a growing bucket twice.
      const summed = sums.aggregate<{ sumMicro: bigint | number; friends: number }>([
        { $match: { _id: { $gt: `${referrerId}:`, $lt: `${referrerId};` } } },
        { $group: { _id: null, sumMicro: { $sum: '$sumMicro' }, friends: { $sum: '$friends' } } },
      ]);
      const [{ sumMicro, friends } = { sumMicro: 0n, friends: 0 }] = await summed.toArray();
      return { sumMicro: BigInt(sumMicro), friends: Number(friends) } satisfies Tally;
    },
  };
}

const read = ({ s, c, r }: StoredLine): Line => ({ seq: s, countedMicro: c, returned: r === true });
const written = ({ seq, countedMicro, returned }: Line): StoredLine => ({
  s: seq,
  c: countedMicro,
  ...(returned ? { r: returned } : {}),
});
