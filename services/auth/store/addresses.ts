import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';

/** A counted network address, known by its keyed hash only. */
export interface AddressDoc {
  _id: string;
  /** Users who count at it. */
  users: number;
  /** An admin marked it as shared by many people: no penalty (decisions, Anti-cheat). */
  shared: boolean;
  seenAtMs: number;
}

export interface AddressStore {
  isShared(addressHash: string): Promise<boolean>;
  /** How many users counted there when somebody came or went last; 0 for an unknown address. */
  usersNoted(addressHash: string): Promise<number>;
  /** Notes how many users count there. */
  note(addressHash: string, users: number, nowMs: number): Promise<void>;
  mark(addressHash: string, shared: boolean): Promise<AddressDoc | null>;
  /** Addresses with more than one user, the most crowded first. */
  crowded(limit: number): Promise<AddressDoc[]>;
  /** Forgets addresses at which nobody has counted since. */
  removeOlder(beforeMs: number): Promise<void>;
  ensureIndexes(): Promise<void>;
}

const schema = new Schema<AddressDoc>(
  {
    _id: { type: String, required: true },
    users: { type: Number, required: true },
    shared: { type: Boolean, required: true },
    seenAtMs: { type: Number, required: true },
  },
  { collection: 'addresses', versionKey: false, strict: 'throw' },
);
schema.index({ users: -1 });

export function createAddressStore(connection: Connection): AddressStore {
  const addresses = connection.model<AddressDoc>('Address', schema);
  return {
    async isShared(addressHash) {
      return (await addresses.findById(addressHash).lean())?.shared === true;
    },
    async usersNoted(addressHash) {
      return (await addresses.findById(addressHash).lean())?.users ?? 0;
    },
    async note(addressHash, users, nowMs) {
      await addresses.updateOne(
        { _id: addressHash },
        { $set: { users, seenAtMs: nowMs }, $setOnInsert: { shared: false } },
        { upsert: true },
      );
    },
    mark: (addressHash, shared) =>
      addresses.findOneAndUpdate({ _id: addressHash }, { $set: { shared } }, { returnDocument: 'after' }).lean(),
    crowded: (limit) =>
      addresses
        .find({ users: { $gt: 1 } })
        .sort({ users: -1 })
        .limit(limit)
        .lean(),
    async removeOlder(beforeMs) {
      await addresses.deleteMany({ seenAtMs: { $lte: beforeMs }, users: { $lte: 0 } });
    },
    async ensureIndexes() {
      await addresses.createIndexes();
    },
  };
}
