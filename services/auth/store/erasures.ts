import type { OutboxItem } from '@cord/kit/outbox';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';

/** An account that is being, or was, erased. Holds nothing of the person but the random id (money.md, Erasure). */
export interface ErasureDoc {
  _id: string;
  atMs: number;
  /** When the sweeper goes on with it; null when nothing of the person is left. */
  dueAtMs: number | null;
  seq: number;
  outbox: OutboxItem[];
  dirtyAt: number | null;
}

export interface ErasureStore {
  /** Begins an erasure; beginning it twice changes nothing. */
  begin(erasure: ErasureDoc): Promise<void>;
  finish(userId: string): Promise<void>;
  due(nowMs: number, limit: number): Promise<string[]>;
  /** Remembers that the account behind this keyed hash was erased. */
  keepTombstone(hash: string): Promise<void>;
  hasTombstone(hash: string): Promise<boolean>;
}

const erasureSchema = new Schema<ErasureDoc>(
  {
    _id: { type: String, required: true },
    atMs: { type: Number, required: true },
    dueAtMs: Number,
    seq: { type: Number, required: true },
    outbox: { type: Schema.Types.Mixed, required: true },
    dirtyAt: Number,
  },
  { collection: 'erasures', versionKey: false, strict: 'throw', minimize: false },
);

/** No time and no user id: a tombstone must not lead back to the ledger's entries. */
const tombstoneSchema = new Schema<{ _id: string }>(
  { _id: { type: String, required: true } },
  { collection: 'tombstones', versionKey: false, strict: 'throw' },
);

export function createErasureStore(connection: Connection): ErasureStore {
  const erasures = connection.model<ErasureDoc>('Erasure', erasureSchema);
  const tombstones = connection.model<{ _id: string }>('Tombstone', tombstoneSchema);
  const unlessThere = async (insert: Promise<unknown>) => {
    try {
      await insert;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };
  return {
    begin: (erasure) => unlessThere(erasures.create(erasure)),
    async finish(userId) {
      await erasures.updateOne({ _id: userId }, { $unset: { dueAtMs: 1 } });
    },
    async due(nowMs, limit) {
      const docs = await erasures
        .find({ dueAtMs: { $lte: nowMs } }, { _id: 1 })
        .limit(limit)
        .lean();
      return docs.map((doc) => doc._id);
    },
    keepTombstone: (hash) => unlessThere(tombstones.create({ _id: hash })),
    hasTombstone: async (hash) => (await tombstones.findById(hash).lean()) !== null,
  };
}
