import { collection } from '@cord/kit/collection';
import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { firstMatching, type IdFilter } from '@cord/kit/store/first-matching';
import type { Connection, mongo } from 'mongoose';
import type { AddressPlace, CountedAddress } from './port.js';

export type AddressStore = ReturnType<typeof createAddressStore>;

export const ADDRESSES = collection<CountedAddress>({
  name: 'addresses',
  indexes: [{ key: { users: -1, _id: 1 } }, { key: { seenAtMs: 1 } }],
});

const CROWDED_FIRST: ListOrder<AddressPlace> = [
  ['users', -1],
  ['_id', 1],
];

export function createAddressStore(connection: Connection) {
  const addresses = ADDRESSES.in(connection);
  return {
    async isShared(addressHash: string) {
      return (await addresses.findOne({ _id: addressHash }))?.shared === true;
    },
    /** Returns how many users counted at an address at the last change; 0 for an unknown address. */
    async usersNoted(addressHash: string) {
      return (await addresses.findOne({ _id: addressHash }))?.users ?? 0;
    },
    /** Stores how many users count at an address; one without users is deleted, unless it is marked as shared. */
    async note(addressHash: string, users: number, nowMs: number) {
      if (users === 0) await addresses.deleteOne({ _id: addressHash, shared: false });
      await addresses.updateOne(
        { _id: addressHash },
        { $set: { users, seenAtMs: nowMs }, $setOnInsert: { shared: false } },
        { upsert: users > 0 },
      );
    },
    /** @returns whether the address was still in the given state */
    async mark(from: CountedAddress, set: Pick<CountedAddress, 'shared' | 'markedAtMs'>) {
      const { _id, shared, markedAtMs = null } = from;
      const asDecidedOn = { _id, shared, markedAtMs } as mongo.Filter<CountedAddress>;
      return (await addresses.updateOne(asDecidedOn, { $set: set })).matchedCount === 1;
    },
    of: (addressHash: string) => addresses.findOne({ _id: addressHash }),
    /** Returns the known ones of these addresses, by hash. */
    async among(addressHashes: readonly string[]): Promise<Map<string, CountedAddress>> {
      if (addressHashes.length === 0) return new Map();
      const docs = await addresses.find({ _id: { $in: [...addressHashes] } }).toArray();
      return new Map(docs.map((doc) => [doc._id, doc]));
    },
    /** Returns addresses with more than one user, most crowded first, after a cursor. */
    crowded: ({ after, limit }: { after: AddressPlace | null; limit: number }) =>
      readAfter({ order: CROWDED_FIRST, after, limit }, (range, most) =>
        addresses
          .find({ $and: [{ users: { $gt: 1 } }, range] })
          .sort(Object.fromEntries(CROWDED_FIRST))
          .limit(most)
          .toArray(),
      ),
    /** Counts the addresses with at least `usersLeast` users that are not marked as shared. */
    countCrowded: (usersLeast: number) => addresses.countDocuments({ users: { $gte: usersLeast }, shared: false }),
    /** Returns addresses last updated at or before a time, oldest first. */
    async notedBefore(atMs: number, limit: number, takes: IdFilter) {
      const found = addresses.find({ seenAtMs: { $lte: atMs } }, { projection: { _id: 1 } }).sort({ seenAtMs: 1 });
      return (await firstMatching(found, limit, takes)).map(({ _id }) => _id);
    },
    /** Deletes an address unless it was updated since. */
    async remove(addressHash: string, sinceMs: number) {
      await addresses.deleteOne({ _id: addressHash, seenAtMs: { $lte: sinceMs } });
    },
  };
}
