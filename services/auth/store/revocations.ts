import { collection } from '@cord/kit/collection';
import type { Connection, mongo } from 'mongoose';

/** A token, or every token of a user issued before a time, that no longer holds. */
export interface Revocation {
  /** `jti.<jti>` or `user.<userId>`: its key among the rights that services get. */
  key: string;
  /** For a user: tokens issued before this are refused, ms. For one token: when it was ended. */
  notBeforeMs: number;
  /** When every token that it covers has expired, ms; then it may be forgotten. */
  untilMs: number;
}

/** A revocation as services get it. */
export type Held = Pick<Revocation, 'key' | 'notBeforeMs'>;

export type RevocationStore = ReturnType<typeof createRevocationStore>;

type RevocationDoc = Omit<Revocation, 'key'> & { _id: string };

export const REVOCATIONS = collection<RevocationDoc>({ name: 'revocations', indexes: [{ key: { untilMs: 1 } }] });

export function createRevocationStore(connection: Connection) {
  const revocations = REVOCATIONS.in(connection);
  const find = (which: mongo.Filter<RevocationDoc>, nowMs: number) =>
    revocations.find({ ...which, untilMs: { $gt: nowMs } });
  // One without a time ends its session whenever it was issued.
  const read = (docs: RevocationDoc[]): Held[] =>
    docs.map(({ _id, notBeforeMs }) => ({ key: _id, notBeforeMs: notBeforeMs ?? Number.MAX_SAFE_INTEGER }));
  return {
    /** At least one. None is taken back by a later one: the clocks of two replicas differ by seconds. */
    async put(all: readonly Revocation[]) {
      const writes = all.map(({ key, ...revocation }) => ({
        updateOne: { filter: { _id: key }, update: { $max: revocation }, upsert: true },
      }));
      await revocations.bulkWrite(writes);
    },
    /** Those of these keys that still matter. */
    among: async (keys: readonly string[], nowMs: number) =>
      read(await find({ _id: { $in: [...keys] } }, nowMs).toArray()),
    /** At most `limit` of those that still matter, by key, after this one. */
    page: async (after: string, limit: number, nowMs: number) =>
      read(
        await find({ _id: { $gt: after } }, nowMs)
          .sort({ _id: 1 })
          .limit(limit)
          .toArray(),
      ),
    /**
     * At most `limit` keys of those that still matter, in order, from after one to before another. They come as one list, which a
     * driver takes in in a tenth of the time of as many documents: a million are read at every start of any service.
     */
    async keys(after: string, before: string, limit: number, nowMs: number) {
      const [found] = await revocations
        .aggregate<{ keys: string[] }>([
          { $match: { _id: { $gt: after, $lt: before }, untilMs: { $gt: nowMs } } },
          { $sort: { _id: 1 } },
          { $limit: limit },
          { $group: { _id: null, keys: { $push: '$_id' } } },
        ])
        .toArray();
      return found?.keys ?? [];
    },
    /** Forgets what can no longer matter. */
    async removeExpired(nowMs: number) {
      const expired = { untilMs: { $lte: nowMs } };
      // Looked for first: a sweep that finds nothing writes nothing.
      if (await revocations.findOne(expired, { projection: { _id: 1 } })) await revocations.deleteMany(expired);
    },
  };
}
