import { dayKey } from '@cord/contracts/rules/days';
import { collection } from '@cord/kit/collection';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import type { MinedAtAddress } from './levels.js';
import { type NodeTime, type Place, placesAfter } from './places.js';

/** Time mined at one address, with its first and last date. */
interface MinedThere extends MinedAtAddress {
  /** First UTC day of it, `2026-11-21`. */
  firstDay: string;
  lastAtMs: number;
}

export type MinedStore = ReturnType<typeof createMinedStore>;

type PlaceDoc = Place & {
  /** userId:addressHash. */
  _id: string;
  userId: string;
};

export const MINED_ADDRESSES = collection<PlaceDoc>({
  name: 'mined_addresses',
  indexes: [{ key: { userId: 1 } }, { key: { lastAtMs: 1 } }],
});

/** Maximum number of addresses read for one user. */
const PLACES_READ_MAX = 2_000;

export function createMinedStore(connection: Connection) {
  const places = MINED_ADDRESSES.in(connection);

  async function written(userId: string, place: Place, before: Place | undefined): Promise<boolean> {
    const _id = `${userId}:${place.addressHash}`;
    if (!before) return insertOnce(() => places.insertOne({ _id, userId, ...place }));
    const { matchedCount } = await places.updateOne({ _id, seq: before.seq }, { $set: { ...place, _id } });
    return matchedCount === 1;
  }

  return {
    /** Applies a node event with the time by address; older and repeated events change nothing. */
    async noteAddresses(time: NodeTime) {
      const { userId } = time;
      await compareAndSet(async () => {
        // Reads all addresses of the event, beyond any limit: a missed one would be inserted again although it exists.
        const named = { _id: { $in: time.addresses.map(({ hash }) => `${userId}:${hash}`) } };
        const today = { userId, 'days.key': dayKey(time.atMs) };
        const read = (where: mongo.Filter<PlaceDoc>, limit: number) => places.find(where).limit(limit).toArray();
        const docs = [...(await read(named, time.addresses.length)), ...(await read(today, PLACES_READ_MAX))];
        const known = new Map<string, Place>(docs.map((doc) => [doc.addressHash, doc]));
        // A conflict with another writer is resolved by the next read.
        const wrote = await Promise.all(
          placesAfter(known, time).map((place) => written(userId, place, known.get(place.addressHash))),
        );
        return wrote.every(Boolean) ? undefined : LOST;
      });
    },
    /** Returns the time that the user mined at each address since a time. */
    async ofUser(userId: string, sinceMs: number): Promise<MinedThere[]> {
      const since = dayKey(Math.max(0, sinceMs));
      const found = await places.find({ userId }).limit(PLACES_READ_MAX).toArray();
      const mined = found.map(({ addressHash, days, lastAtMs }) => {
        const within = days.filter(({ key }) => key >= since);
        const minedMs = within.reduce((sum, { ms }) => sum + ms, 0);
        const [firstDay = since] = within.map(({ key }) => key).sort();
        return { addressHash, minedMs, firstDay, lastAtMs };
      });
      return mined.filter(({ minedMs }) => minedMs > 0);
    },
    async removeOlder(beforeMs: number) {
      await places.deleteMany({ lastAtMs: { $lte: beforeMs } });
    },
    async removeUser(userId: string) {
      await places.deleteMany({ userId });
    },
  };
}
