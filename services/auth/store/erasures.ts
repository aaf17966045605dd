import { userErased } from '@cord/contracts/events/user';
import { collection } from '@cord/kit/collection';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { userErasedItem } from '../domain/user-events.js';

/** An account that is being, or was, erased. Holds nothing of the person but the random id (services/README.md#erasure). */
interface ErasureDoc {
  _id: string;
  atMs: number;
  /** When the sweeper goes on with it; null when nothing of the person is left. */
  dueAtMs: number | null;
  seq: number;
  outbox: OutboxEvent[];
  dirtyAt?: number;
}

export const ERASURES = collection<ErasureDoc>({
  name: 'erasures',
  indexes: [{ key: { dueAtMs: 1 }, sparse: true }],
  outbox: 'events',
  states: [{ kinds: [userErased], items: ({ _id, seq, atMs }) => [userErasedItem(_id, seq, atMs)], stays: true }],
});

/** An erasure that was not finished is gone on with after so long, ms. */
export const ERASURE_RETRY_MS = 10_000;

export type ErasureStore = ReturnType<typeof createErasureStore>;

/** No user id, and no time but days that go: a tombstone must not lead back to the ledger's entries. */
interface TombstoneDoc {
  _id: string;
  /** UTC days of the latest erasures (days since 1970). Absent until the first is counted. */
  days?: number[];
}

export const TOMBSTONES = collection<TombstoneDoc>({
  name: 'tombstones',
  indexes: [{ key: { days: 1 }, sparse: true }],
});

export function createErasureStore(connection: Connection) {
  const erasures = ERASURES.in(connection);
  const tombstones = TOMBSTONES.in(connection);
  return {
    /** Begins an erasure; beginning it twice changes nothing. @returns whether this call has begun it */
    begin: (erasure: ErasureDoc) => insertOnce(() => erasures.insertOne(erasure)),
    async finish(userId: string) {
      await erasures.updateOne({ _id: userId }, { $unset: { dueAtMs: 1 } });
    },
    /** Erasures that are not finished, the longest due first. */
    async due(nowMs: number, limit: number, takes: IdFilter) {
      const times = dueTimes(nowMs, ERASURE_RETRY_MS);
      const due = await firstDue(erasures, 'dueAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },
    /** Remembers that the account behind this keyed hash was erased. */
    async keepTombstone(hash: string) {
      await insertOnce(() => tombstones.insertOne({ _id: hash }));
    },
    /** Counts an erasure at its tombstone. @param most days kept, the latest ones */
    async count(hash: string, day: number, most: number) {
      await tombstones.updateOne({ _id: hash }, { $push: { days: { $each: [day], $sort: 1, $slice: -most } } });
    },
    /** UTC days of the latest erasures behind this keyed hash; null when there was none. */
    async erasedOn(hash: string) {
      const tombstone = await tombstones.findOne({ _id: hash });
      return tombstone && (tombstone.days ?? []);
    },
    /** Takes the days before this one from all tombstones. */
    async forgetDays(before: number) {
      await tombstones.updateMany({ days: { $lt: before } }, { $pull: { days: { $lt: before } } });
    },
  };
}
