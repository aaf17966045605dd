import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';

/** A token, or every token of a user issued before a time, that no longer holds. */
export interface Revocation {
  /** `jti.<jti>` or `user.<userId>`: the key in the watched bucket. */
  key: string;
  /** For a user: tokens issued before this are refused, ms. Null for one token. */
  notBeforeMs: number | null;
  /** When every token it speaks of has expired, ms; then it may be forgotten. */
  untilMs: number;
}

export interface RevocationStore {
  put(revocation: Revocation): Promise<void>;
  all(nowMs: number): Promise<Revocation[]>;
  has(key: string, nowMs: number): Promise<boolean>;
  /** Forgets what can no longer matter and says which keys. */
  removeExpired(nowMs: number): Promise<string[]>;
  ensureIndexes(): Promise<void>;
}

type RevocationDoc = Omit<Revocation, 'key'> & { _id: string };

const schema = new Schema<RevocationDoc>(
  {
    _id: { type: String, required: true },
    notBeforeMs: Number,
    untilMs: { type: Number, required: true },
  },
  { collection: 'revocations', versionKey: false, strict: 'throw' },
);
schema.index({ untilMs: 1 });

export function createRevocationStore(connection: Connection): RevocationStore {
  const revocations = connection.model<RevocationDoc>('Revocation', schema);
  return {
    async put({ key, ...revocation }) {
      await revocations.updateOne({ _id: key }, { $set: revocation }, { upsert: true });
    },
    async all(nowMs) {
      const docs = await revocations.find({ untilMs: { $gt: nowMs } }).lean();
      return docs.map(({ _id, untilMs, notBeforeMs }) => ({ key: _id, untilMs, notBeforeMs: notBeforeMs ?? null }));
    },
    has: async (key, nowMs) => (await revocations.findOne({ _id: key, untilMs: { $gt: nowMs } }).lean()) !== null,
    async removeExpired(nowMs) {
      const expired = await revocations.find({ untilMs: { $lte: nowMs } }).lean();
      const keys = expired.map((doc) => doc._id);
      if (keys.length > 0) await revocations.deleteMany({ _id: { $in: keys } });
      return keys;
    },
    async ensureIndexes() {
      await revocations.createIndexes();
    },
  };
}
