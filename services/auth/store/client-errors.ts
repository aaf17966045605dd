import { createHash } from 'node:crypto';
import { dayKey } from '@cord/contracts/rules/days';
import { collection } from '@cord/kit/collection';
import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';

/** An error of the front end as reported by one browser, without user data. */
interface ClientError {
  message: string;
  stack: string | null;
  module: string | null;
  part: string | null;
  shell: string;
  sdk: string;
  moduleVersion: string | null;
}

/** The same error of the same versions on one UTC day; the id is the day and a hash of its identifying fields. */
export interface ClientErrorDoc extends ClientError {
  _id: string;
  /** Whether a signed-in user has reported it; absent in older documents, meaning none. */
  signedIn?: boolean;
  count: number;
  firstAtMs: number;
  lastAtMs: number;
}

export const CLIENT_ERRORS = collection<ClientErrorDoc>({
  name: 'client_errors',
  indexes: [{ key: { lastAtMs: -1, _id: -1 } }, { key: { signedIn: 1, count: 1, lastAtMs: 1 } }],
});

/** Cursor of a list: the last shown document. */
export interface ErrorCursor {
  lastAtMs: number;
  id: string;
}

export type ClientErrorStore = ReturnType<typeof createClientErrorStore>;

/** How long an error is kept after its last report, ms: 7 days. */
const KEPT_MS = 7 * 86_400_000;
/** Maximum number of kinds of errors: some 20 MB. */
const KINDS_MAX = 5_000;

const LATEST_FIRST: ListOrder<Pick<ClientErrorDoc, 'lastAtMs' | '_id'>> = [
  ['lastAtMs', -1],
  ['_id', -1],
];

export function createClientErrorStore(connection: Connection, { kindsMax = KINDS_MAX } = {}) {
  const errors = CLIENT_ERRORS.in(connection);

  const halfMax = Math.max(1, Math.floor(kindsMax / 2));
  /** Filter for one half of the kinds. */
  const half = (signedIn: boolean) => ({ signedIn: signedIn ? true : { $ne: true } });

  async function count(id: string, signedIn: boolean, nowMs: number): Promise<boolean> {
    const change = { $inc: { count: 1 }, $max: { lastAtMs: nowMs }, ...(signedIn && { $set: { signedIn } }) };
    const before = await errors.findOneAndUpdate({ _id: id }, change, { returnDocument: 'before' });
    if (before && signedIn && !before.signedIn) await makeRoom(id, signedIn);
    return before !== null;
  }

  /** @param id document that is kept */
  async function makeRoom(id: string, signedIn: boolean): Promise<void> {
    const over = (await errors.countDocuments(half(signedIn))) - halfMax;
    for (let n = 0; n < over; n += 1)
      await errors.findOneAndDelete({ ...half(signedIn), _id: { $ne: id } }, { sort: { count: 1, lastAtMs: 1 } });
  }

  return {
    /**
     * Counts one more report of a known kind.
     * @param signedIn whether a signed-in user reports it
     * @returns false for an unknown kind
     */
    count: (error: ClientError, signedIn: boolean, nowMs: number) => count(idOf(error, nowMs), signedIn, nowMs),
    /**
     * Adds a new kind. Any client may report anything, so the number of kinds is bounded: one half is for kinds that a
     * signed-in user has reported. A full half drops its rarest kind; on a tie, the one with the oldest report.
     */
    async add(error: ClientError, signedIn: boolean, nowMs: number) {
      const id = idOf(error, nowMs);
      const doc = { _id: id, ...error, signedIn, count: 1, firstAtMs: nowMs, lastAtMs: nowMs };
      if (await insertOnce(() => errors.insertOne(doc))) await makeRoom(id, signedIn);
      // Another browser has reported it at the same moment.
      else await count(id, signedIn, nowMs);
    },
    /** Returns errors, latest first; errors older than `KEPT_MS` are excluded, even before their removal. */
    latest(nowMs: number, limit: number, behind: ErrorCursor | null) {
      const after = behind && { lastAtMs: behind.lastAtMs, _id: behind.id };
      return readAfter({ order: LATEST_FIRST, after, limit }, (range, most) =>
        errors
          .find({ $and: [{ lastAtMs: { $gt: nowMs - KEPT_MS } }, range] })
          .sort(Object.fromEntries(LATEST_FIRST))
          .limit(most)
          .toArray(),
      );
    },
    /** Returns the count of each kind on the UTC day of a time. */
    async ofDay(nowMs: number) {
      const day = dayKey(nowMs);
      // '.' is the character after '-': all ids of the day are in between.
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

/** The stack is not part of the identity: browsers format it differently. */
function idOf({ message, module, part, shell, sdk, moduleVersion }: ClientError, nowMs: number): string {
  const same = JSON.stringify([message, module, part, shell, sdk, moduleVersion]);
  return `${dayKey(nowMs)}-${createHash('sha256').update(same).digest('hex').slice(0, 32)}`;
}
