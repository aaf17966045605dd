import { supportAnswered } from '@cord/contracts/events/support';
import { type Cause, withCause } from '@cord/kit/cause';
import { collection } from '@cord/kit/collection';
import { compareAndSet, LOST } from '@cord/kit/compare-and-set';
import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { addToOutbox } from '@cord/kit/outbox/items';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection, mongo } from 'mongoose';
import { type AnsweredNetwork, type SupportDoc, supportAnsweredItems } from '../domain/support-events.js';

export const SUPPORT_REQUESTS = collection<SupportDoc>({
  name: 'support_requests',
  indexes: [
    { key: { userId: 1, createdAtMs: -1 } },
    { key: { status: 1, priority: -1, createdAtMs: 1, _id: 1 } },
    { key: { status: 1, kind: 1, priority: -1, createdAtMs: 1, _id: 1 } },
    { key: { kind: 1, priority: -1, createdAtMs: 1, _id: 1 } },
    { key: { priority: -1, createdAtMs: 1, _id: 1 } },
  ],
  outbox: 'events',
  erase: (documents, userId) => documents.deleteMany({ userId }),
  states: [{ kinds: [supportAnswered], items: supportAnsweredItems }],
});

export type SupportStore = ReturnType<typeof createSupportStore>;

/** Filter of support requests. */
export interface SupportFilter {
  status: SupportDoc['status'] | null;
  kind: SupportDoc['kind'] | null;
  /** By these authors, or with this id prefix; null for all. */
  found: { userIds: readonly string[]; idPrefix: string | null } | null;
}

/** The open requests of one kind. */
interface WaitingRequests {
  kind: SupportDoc['kind'];
  /** At most WAITING_COUNTED. */
  open: number;
  /** Whether there are more than counted. */
  more: boolean;
  /** Number of requests by badge holders. */
  priority: number;
  /** When the oldest waiting request was filed, ms; null without one. */
  oldestMs: number | null;
}

const SUPPORT_KINDS = ['appeal', 'refund', 'support'] as const satisfies readonly SupportDoc['kind'][];

/** The position of a request in the queue. */
export type SupportPlace = Pick<SupportDoc, 'priority' | 'createdAtMs' | '_id'>;

/** The order of the queue. It excludes the status, so a request keeps its position when it is answered. */
export const QUEUE_ORDER: ListOrder<SupportPlace> = [
  ['priority', -1],
  ['createdAtMs', 1],
  ['_id', 1],
];
const IN_ORDER = Object.fromEntries(QUEUE_ORDER);

/** Maximum number of open requests counted per kind: every open operators' page polls the count. */
export const WAITING_COUNTED = 1_000;

/** Maximum number of a user's own requests shown. */
const SHOWN_MAX = 500;

export function createSupportStore(connection: Connection) {
  const requests = SUPPORT_REQUESTS.in(connection);
  return {
    /** Inserts a request; false when its id is taken. */
    insert: (request: SupportDoc) => insertOnce(() => requests.insertOne(request)),
    async remove(id: string) {
      await requests.deleteOne({ _id: id });
    },
    byId: (id: string) => requests.findOne({ _id: id }),
    /** Returns a user's requests, newest first. */
    ofUser: (userId: string) => requests.find({ userId }).sort({ createdAtMs: -1 }).limit(SHOWN_MAX).toArray(),
    /** Counts all requests of a user; each stays until the account is erased. */
    countAll: (userId: string) => requests.countDocuments({ userId }),
    countOpen: (userId: string, kind?: SupportDoc['kind']) =>
      requests.countDocuments({ userId, status: 'open', ...(kind ? { kind } : {}) }),
    /** Returns the queue after a cursor: badge holders first, then the longest waiting. */
    queue({ after, limit, ...wanted }: SupportFilter & { after: SupportPlace | null; limit: number }) {
      const filter = filterOf(wanted);
      return readAfter({ order: QUEUE_ORDER, after, limit }, (range, most) =>
        requests
          .find({ ...filter, ...range })
          .sort(IN_ORDER)
          .limit(most)
          .toArray(),
      );
    },
    /** Assigns an open request to an admin, unless another admin has taken it after `lapsedMs`; then null. */
    take(id: string, adminId: string, nowMs: number, lapsedMs: number) {
      const free = [{ takenBy: null }, { takenBy: adminId }, { takenAtMs: { $lte: lapsedMs } }];
      return requests.findOneAndUpdate(
        { _id: id, status: 'open', $or: free },
        { $set: { takenBy: adminId, takenAtMs: nowMs } },
        { returnDocument: 'after' },
      );
    },
    /** Removes the assignment to an admin. */
    async putBack(id: string, adminId: string) {
      await requests.updateOne({ _id: id, takenBy: adminId }, { $unset: { takenBy: '', takenAtMs: '' } });
    },
    /** Returns the open requests of each kind. */
    waiting: (): Promise<WaitingRequests[]> =>
      Promise.all(
        SUPPORT_KINDS.map(async (kind) => {
          const oldest = (priority: boolean) =>
            requests
              .find({ status: 'open', kind, priority }, { projection: { createdAtMs: 1 } })
              .sort({ createdAtMs: 1, _id: 1 })
              .limit(1)
              .toArray();
          const [open, priority, ...firsts] = await Promise.all([
            requests.countDocuments({ status: 'open', kind }, { limit: WAITING_COUNTED + 1 }),
            requests.countDocuments({ status: 'open', kind, priority: true }, { limit: WAITING_COUNTED }),
            oldest(true),
            oldest(false),
          ]);
          const times = firsts.flat().map(({ createdAtMs }) => createdAtMs);
          return {
            kind,
            open: Math.min(open, WAITING_COUNTED),
            more: open > WAITING_COUNTED,
            priority,
            oldestMs: times.length === 0 ? null : Math.min(...times),
          };
        }),
      ),
    /** Answers an open request, with its event in the same write; null when there is none. */
    answer: (
      id: string,
      {
        nowMs,
        ...act
      }: { answer: string; status: 'answered' | 'closed'; network?: AnsweredNetwork; nowMs: number; cause?: Cause },
    ): Promise<SupportDoc | null> =>
      compareAndSet(async () => {
        const stored = await requests.findOne({ _id: id });
        if (stored?.status !== 'open') return null;
        const { seq: before = 0, outbox = [] } = stored;
        const answered = { ...act, answeredAtMs: nowMs, seq: before + 1 };
        const after = { ...stored, ...answered };
        const withEvents = withCause(outbox, supportAnsweredItems(after)).reduce(addToOutbox, outbox);
        const { matchedCount } = await requests.updateOne(
          { _id: id, seq: stored.seq ?? { $exists: false } },
          { $set: { ...answered, outbox: withEvents, dirtyAt: nowMs } },
        );
        return matchedCount === 1 ? after : LOST;
      }),
    /** Prioritises a user's requests after a badge purchase. */
    async prioritise(userId: string) {
      await requests.updateMany({ userId, priority: false }, { $set: { priority: true } });
    },
  };
}

/** The filter of a list, without its cursor. */
export function filterOf({ status, kind, found }: SupportFilter): mongo.Filter<SupportDoc> {
  return {
    ...(status === null ? {} : { status }),
    ...(kind === null ? {} : { kind }),
    ...(found === null ? {} : { $or: matches(found) }),
  };
}

function matches({ userIds, idPrefix }: NonNullable<SupportFilter['found']>): mongo.Filter<SupportDoc>[] {
  const byAuthor: mongo.Filter<SupportDoc> = { userId: { $in: [...userIds] } };
  return idPrefix === null ? [byAuthor] : [byAuthor, { _id: { $gte: idPrefix, $lt: `${idPrefix}g` } }];
}
