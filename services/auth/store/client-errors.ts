import { createHash } from 'node:crypto';
import { dayKey } from '@cord/contracts/rules/days';
import { collection } from '@cord/kit/collection';
import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** A fault of the front end as one browser reported it. Nothing in it names a user. */
interface ClientError {
  message: string;
  stack: string | null;
  module: string | null;
  part: string | null;
  shell: string;
  sdk: string;
  moduleVersion: string | null;
}

/** The same fault of the same versions on one UTC day; the id is the day and a hash of what makes it the same. */
export interface ClientErrorDoc extends ClientError {
  _id: string;
  /** A signed-in user has reported it; absent in documents of before: none has. */
  signedIn?: boolean;
  count: number;
  firstAtMs: number;
  lastAtMs: number;
}

export const CLIENT_ERRORS = collection<ClientErrorDoc>({
  name: 'client_errors',
  indexes: [{ key: { lastAtMs: -1, _id: -1 } }, { key: { signedIn: 1, count: 1, lastAtMs: 1 } }],
});

/** Where a list goes on: behind this document. */
export interface ErrorCursor {
  lastAtMs: number;
  id: string;
}

export type ClientErrorStore = ReturnType<typeof createClientErrorStore>;

/** How long a fault is kept after it was last reported, ms: 7 days. */
const KEPT_MS = 7 * 86_400_000;
/** Kinds of faults kept at a time: some 20 MB. */
const KINDS_MAX = 5_000;

const LATEST_FIRST: ListOrder<Pick<ClientErrorDoc, 'lastAtMs' | '_id'>> = [
  ['lastAtMs', -1],
  ['_id', -1],
];

export function createClientErrorStore(connection: Connection, { kindsMax = KINDS_MAX } = {}) {
  const errors = CLIENT_ERRORS.in(connection);

  const halfMax = Math.max(1, Math.floor(kindsMax / 2));
  /** Those of a half. */
  const half = (signedIn: boolean) => ({ signedIn: signedIn ? true : { $ne: true } });

  async function count(id: string, signedIn: boolean, nowMs: number): Promise<boolean> {
    const change = { $inc: { count: 1 }, $max: { lastAtMs: nowMs }, ...(signedIn && { $set: { signedIn } }) };
    const before = await errors.findOneAndUpdate({ _id: id }, change, { returnDocument: 'before' });
    if (before && signedIn && !before.signedIn) await makeRoom(id, signedIn);
    return before !== null;
  }

  /** @param id which stays */
  async function makeRoom(id: string, signedIn: boolean): Promise<void> {
    const over = (await errors.countDocuments(half(signedIn))) - halfMax;
    for (let n = 0; n < over; n += 1)
      await errors.findOneAndDelete({ ...half(signedIn), _id: { $ne: id } }, { sort: { count: 1, lastAtMs: 1 } });
  }

  return {
    /**
     * Counts one more of a kind that is kept.
     * @param signedIn whether a signed-in user reports it
     * @returns false where it is none of those
     */
    count: (error: ClientError, signedIn: boolean, nowMs: number) => count(idOf(error, nowMs), signedIn, nowMs),
    /**
     * Keeps a new kind. Any client may report anything, so the number of kinds is bounded: half of them are for those that a signed-in user
     * has reported, and where a half is full its rarest goes, of several the one that was reported longest ago.
     */
    async add(error: ClientError, signedIn: boolean, nowMs: number) {
      const id = idOf(error, nowMs);
      const doc = { _id: id, ...error, signedIn, count: 1, firstAtMs: nowMs, lastAtMs: nowMs };
      if (await insertOnce(() => errors.insertOne(doc))) await makeRoom(id, signedIn);
      // Another browser reported it in the same moment.
      else await count(id, signedIn, nowMs);
    },
    /** The latest first; what is older than `KEPT_MS` is not there, cleaned up or not. */
    latest(nowMs: number, limit: number, behind: ErrorCursor | null) {
      const after = behind && { lastAtMs: behind.lastAtMs, _id: behind.id };
      return readBehind({ order: LATEST_FIRST, after, limit }, (range, most) =>
        errors
          .find({ $and: [{ lastAtMs: { $gt: nowMs - KEPT_MS } }, range] })
          .sort(Object.fromEntries(LATEST_FIRST))
          .limit(most)
          .toArray(),
      );
    },
    /** How often each kind was reported on the UTC day of a time. */
    async ofDay(nowMs: number) {
      const day = dayKey(nowMs);
      // '-' and '.' follow each other: all ids of the day lie between.
      return errors
        .find({ _id: { $gte: `${day}-`, $lt: `${day}.` } })
        .project<{ module: string | null; count: number }>({ _id: 0, module: 1, count: 1 })
        .toArray();
    },
    async removeExpired(nowMs: number) {
      await errors.deleteMany({ lastAtMs: { $lte: nowMs - KEPT_MS } });
    },
  };
}

/** The stack is left out: two browsers write one differently. */
function idOf({ message, module, part, shell, sdk, moduleVersion }: ClientError, nowMs: number): string {
  const same = JSON.stringify([message, module, part, shell, sdk, moduleVersion]);
  return `${dayKey(nowMs)}-${createHash('sha256').update(same).digest('hex').slice(0, 32)}`;
}
