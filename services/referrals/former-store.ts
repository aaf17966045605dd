import type { Connection } from 'mongoose';
import type { FormerBucket, FormerFriend } from './domain/former.js';

export const BUCKETS = 'buckets';

/** The buckets of the release before, as long as there are any. */
export interface FormerStore {
  /** Ids of a referrer's buckets. */
  idsOf(referrerId: string): Promise<string[]>;
  get(id: string): Promise<FormerBucket | null>;
  /** One bucket's lines of some friends. */
  linesIn(id: string, friendIds: readonly string[]): Promise<Map<string, FormerFriend>>;
  /** The referrer's bucket that a friend stands in. */
  bucketWith(referrerId: string, friendId: string): Promise<string | null>;
  /** Buckets after an id, by id, without their friends. */
  page(after: string, limit: number): Promise<Omit<FormerBucket, 'friends'>[]>;
  /** Notes up to which version a bucket's friends have been taken over. */
  noteMoved(id: string, seq: bigint, atMs: number): Promise<void>;
  /** Drops a bucket, if it is still of that version. */
  drop(id: string, seq: bigint): Promise<void>;
}

export function openFormerStore(connection: Connection): FormerStore {
  const buckets = connection.collection<FormerBucket>(BUCKETS);
  return {
    async idsOf(referrerId) {
      const found = await buckets.find({ referrerId }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    get: async (id) => (await buckets.findOne({ _id: id })) as FormerBucket | null,
    async linesIn(id, friendIds) {
      const projection = Object.fromEntries(friendIds.map((friendId) => [`friends.${friendId}`, 1]));
      const found = await buckets.findOne({ _id: id }, { projection });
      return new Map(Object.entries(found?.friends ?? {}));
    },
    async bucketWith(referrerId, friendId) {
      const query = { referrerId, [`friends.${friendId}`]: { $exists: true } };
      return (await buckets.findOne(query, { projection: { _id: 1 } }))?._id ?? null;
    },
    page: (after, limit) =>
      buckets
        .find({ _id: { $gt: after } }, { projection: { seq: 1, referrerId: 1, movedSeq: 1, movedAtMs: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray() as Promise<Omit<FormerBucket, 'friends'>[]>,
    async noteMoved(id, seq, atMs) {
      await buckets.updateOne({ _id: id }, { $set: { movedSeq: seq, movedAtMs: atMs } });
    },
    async drop(id, seq) {
      await buckets.deleteOne({ _id: id, seq });
    },
  };
}
