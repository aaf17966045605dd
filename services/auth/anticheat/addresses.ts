import { collection } from '@cord/kit/collection';
import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { firstMatching, type IdFilter } from '@cord/kit/store/first-matching';
import type { Connection } from 'mongoose';
import type { AddressPlace, CountedAddress } from './port.js';

export interface AddressStore {
  isShared(addressHash: string): Promise<boolean>;
  /** How many users counted there when a user came or went last; 0 for an unknown address. */
  usersNoted(addressHash: string): Promise<number>;
  /** Notes how many users count there; one where none does is forgotten, unless it is marked as shared. */
  note(addressHash: string, users: number, nowMs: number): Promise<void>;
  mark(addressHash: string, shared: boolean): Promise<CountedAddress | null>;
  of(addressHash: string): Promise<CountedAddress | null>;
  /** Those of these that are known, by hash. */
  among(addressHashes: readonly string[]): Promise<Map<string, CountedAddress>>;
  /** Addresses with more than one user, the most crowded first; those after a place. */
  crowded(page: { after: AddressPlace | null; limit: number }): Promise<CountedAddress[]>;
  /** How many addresses have at least so many users and are not marked as shared. */
  countCrowded(usersLeast: number): Promise<number>;
  /** Addresses whose users were noted last at that time or before, the longest ago first. */
  notedBefore(atMs: number, limit: number, takes: IdFilter): Promise<string[]>;
  /** Forgets an address unless its users were noted since. */
  remove(addressHash: string, sinceMs: number): Promise<void>;
}

export const ADDRESSES = collection<CountedAddress>({
  name: 'addresses',
  indexes: [{ key: { users: -1, _id: 1 } }, { key: { seenAtMs: 1 } }],
});

const CROWDED_FIRST: ListOrder<AddressPlace> = [
  ['users', -1],
  ['_id', 1],
];

export function createAddressStore(connection: Connection): AddressStore {
  const addresses = ADDRESSES.in(connection);
  return {
    async isShared(addressHash) {
      return (await addresses.findOne({ _id: addressHash }))?.shared === true;
    },
    async usersNoted(addressHash) {
      return (await addresses.findOne({ _id: addressHash }))?.users ?? 0;
    },
    async note(addressHash, users, nowMs) {
      if (users === 0) await addresses.deleteOne({ _id: addressHash, shared: false });
      await addresses.updateOne(
        { _id: addressHash },
        { $set: { users, seenAtMs: nowMs }, $setOnInsert: { shared: false } },
        { upsert: users > 0 },
      );
    },
    mark: (addressHash, shared) =>
      addresses.findOneAndUpdate({ _id: addressHash }, { $set: { shared } }, { returnDocument: 'after' }),
    of: (addressHash) => addresses.findOne({ _id: addressHash }),
    async among(addressHashes) {
      if (addressHashes.length === 0) return new Map();
      const docs = await addresses.find({ _id: { $in: [...addressHashes] } }).toArray();
      return new Map(docs.map((doc) => [doc._id, doc]));
    },
    crowded: ({ after, limit }) =>
      readBehind({ order: CROWDED_FIRST, after, limit }, (range, most) =>
        addresses
          .find({ $and: [{ users: { $gt: 1 } }, range] })
          .sort(Object.fromEntries(CROWDED_FIRST))
          .limit(most)
          .toArray(),
      ),
    countCrowded: (usersLeast) => addresses.countDocuments({ users: { $gte: usersLeast }, shared: false }),
    async notedBefore(atMs, limit, takes) {
      const found = addresses.find({ seenAtMs: { $lte: atMs } }, { projection: { _id: 1 } }).sort({ seenAtMs: 1 });
      return (await firstMatching(found, limit, takes)).map(({ _id }) => _id);
    },
    async remove(addressHash, sinceMs) {
      await addresses.deleteOne({ _id: addressHash, seenAtMs: { $lte: sinceMs } });
    },
  };
}
