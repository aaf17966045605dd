import { userErased } from '@cord/contracts/events/user';
import { collection } from '@cord/kit/collection';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { userErasedItem } from '../domain/user-events.js';

/** An account whose erasure is in progress or complete. Holds no personal data except the random id (services/README.md#erasure). */
interface ErasureDoc {
  _id: string;
  atMs: number;
  /** When the sweeper resumes it, ms; null once nothing of the person is left. */
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

/** Delay before an unfinished erasure is resumed, ms. */
export const ERASURE_RETRY_MS = 10_000;

export type ErasureStore = ReturnType<typeof createErasureStore>;

/** Mark of an erased Discord account: no user id, and no time except days that expire, so that it cannot be linked to the ledger's entries. */
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
    /** Begins an erasure; idempotent. @returns whether this call has begun it */
    begin: (erasure: ErasureDoc) => insertOnce(() => erasures.insertOne(erasure)),
    async finish(userId: string) {
      await erasures.updateOne({ _id: userId }, { $unset: { dueAtMs: 1 } });
    },
    /** Returns unfinished erasures, longest due first. */
    async due(nowMs: number, limit: number, takes: IdFilter) {
      const times = dueTimes(nowMs, ERASURE_RETRY_MS);
      const due = await firstDue(erasures, 'dueAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },
    /** Stores that the account of this keyed hash was erased. */
    async keepTombstone(hash: string) {
      await insertOnce(() => tombstones.insertOne({ _id: hash }));
    },
    /** Counts an erasure in its tombstone. @param most maximum number of days kept, latest first */
    async count(hash: string, day: number, most: number) {
      await tombstones.updateOne({ _id: hash }, { $push: { days: { $each: [day], $sort: 1, $slice: -most } } });
    },
    /** Returns the UTC days of the latest erasures of this keyed hash; null without any. */
    async erasedOn(hash: string) {
      const tombstone = await tombstones.findOne({ _id: hash });
      return tombstone && (tombstone.days ?? []);
    },
    /** Removes the days before this one from all tombstones. */
    async forgetDays(before: number) {
      await tombstones.updateMany({ days: { $lt: before } }, { $pull: { days: { $lt: before } } });
    },
  };
}
