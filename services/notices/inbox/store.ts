import { type ListOrder, readAfter } from '@cord/kit/keyset';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { PUSH_WAIT_MS_MAX } from '../pace.js';
import { LISTED_KINDS, NOTICES, type NoticeDoc, type Place } from './notice.js';

/** The reader of own notices, and the time. */
export interface OwnReading {
  userId: string;
  nowMs: number;
  /** The reading sign-in: its own actions are not shown to it. */
  sessionId?: string | undefined;
}

export type NoticeStore = ReturnType<typeof openNoticeStore>;

/** Notices of epochs are in no list, so they do not count against its limit. */
const NO_EPOCH = { $ne: 'epoch' };

const NEWEST_FIRST: ListOrder<{ atMs: number; _id: string }> = [
  ['atMs', -1],
  ['_id', -1],
];

export function openNoticeStore(connection: Connection) {
  const notices = NOTICES.in(connection);
  const others = ({ sessionId }: OwnReading) => (sessionId ? { 'facts.sessionId': { $ne: sessionId } } : {});
  const holding = (reading: OwnReading) => ({
    userId: reading.userId,
    kind: { $in: [...LISTED_KINDS] },
    expiresAt: { $gt: new Date(reading.nowMs) },
    ...others(reading),
  });
  return {
    /** Inserts a notice; false when the user already had it. */
    insert: (notice: NoticeDoc) => insertOnce(() => notices.insertOne(notice)),
    /** Returns a user's valid own notices, newest first, after a cursor. */
    async list(reading: OwnReading, { after, limit }: { after: Place | null; limit: number }) {
      const behind = after && { atMs: after.atMs, _id: after.id };
      const found = await readAfter({ order: NEWEST_FIRST, after: behind, limit }, (range, most) =>
        notices
          .find({ ...holding(reading), ...range })
          .sort(Object.fromEntries(NEWEST_FIRST))
          .limit(most)
          .toArray(),
      );
      return (found as NoticeDoc[]).map(NOTICES.read);
    },
    /** Returns all notices of a user, for the export. */
    ofUser: async (userId: string) =>
      (await notices.find({ userId }).sort({ atMs: -1, _id: -1 }).toArray()) as NoticeDoc[],
    unread: (reading: OwnReading) => notices.countDocuments({ ...holding(reading), readAtMs: null }),
    async markRead(reading: OwnReading, upToMs: number) {
      const { userId, nowMs } = reading;
      const upTo = { userId, readAtMs: null, atMs: { $lte: upToMs }, ...others(reading) };
      await notices.updateMany(upTo, { $set: { readAtMs: nowMs } });
    },
    /** Returns the time of a user's n-th newest notice, without epochs; null when there are fewer. */
    async atOf(userId: string, nth: number) {
      const found = notices
        .find({ userId, kind: NO_EPOCH }, { projection: { atMs: 1 } })
        .sort({ atMs: -1, _id: -1 })
        .skip(nth - 1)
        .limit(1);
      return (await found.toArray())[0]?.atMs ?? null;
    },
    /** Deletes notices up to a time, without epochs. */
    async dropUpTo(userId: string, atMs: number) {
      await notices.deleteMany({ userId, kind: NO_EPOCH, atMs: { $lte: atMs } });
    },
    /** Deletes an obsolete notice. @returns whether there was one */
    withdraw: async (userId: string, kind: string, subject: string) =>
      (await notices.deleteOne({ userId, kind, subject })).deletedCount > 0,
    /** Returns this replica's due pushes, longest waiting first. */
    async duePushes(nowMs: number, limit: number, takes: IdFilter) {
      const found = await firstDue(notices, 'pushAtMs', dueTimes(nowMs, PUSH_WAIT_MS_MAX), limit, takes);
      return (found as NoticeDoc[]).map(NOTICES.read);
    },
    /** Stores the progress of a push; null when it is complete. */
    async pushed(id: string, next: { atMs: number; tries: number; to: readonly string[] } | null) {
      const change =
        next === null
          ? { $unset: { pushAtMs: '', pushTries: '', pushedTo: '' } as const }
          : { $set: { pushAtMs: next.atMs, pushTries: next.tries, pushedTo: [...next.to] } };
      await notices.updateOne({ _id: id }, change);
    },
  };
}
