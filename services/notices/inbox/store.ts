import { type ListOrder, readBehind } from '@cord/kit/keyset';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { PUSH_WAIT_MS_MAX } from '../pace.js';
import { LISTED_KINDS, NOTICES, type NoticeDoc, type Place } from './notice.js';

/** Who reads the own notices, and when. */
export interface OwnReading {
  userId: string;
  nowMs: number;
  /** The sign-in that reads: what it did itself is no news to it. */
  sessionId?: string | undefined;
}

export type NoticeStore = ReturnType<typeof openNoticeStore>;

/** Notices of epochs are in no list, so that they take no place in it. */
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
    /** Whether it was made; false when the user had it before. */
    insert: (notice: NoticeDoc) => insertOnce(() => notices.insertOne(notice)),
    /** A user's own that hold at a time, newest first, from after a place. */
    async list(reading: OwnReading, { after, limit }: { after: Place | null; limit: number }) {
      const behind = after && { atMs: after.atMs, _id: after.id };
      const found = await readBehind({ order: NEWEST_FIRST, after: behind, limit }, (range, most) =>
        notices
          .find({ ...holding(reading), ...range })
          .sort(Object.fromEntries(NEWEST_FIRST))
          .limit(most)
          .toArray(),
      );
      return (found as NoticeDoc[]).map(NOTICES.read);
    },
    /** All of a user's, for the export. */
    ofUser: async (userId: string) =>
      (await notices.find({ userId }).sort({ atMs: -1, _id: -1 }).toArray()) as NoticeDoc[],
    unread: (reading: OwnReading) => notices.countDocuments({ ...holding(reading), readAtMs: null }),
    async markRead(reading: OwnReading, upToMs: number) {
      const { userId, nowMs } = reading;
      const upTo = { userId, readAtMs: null, atMs: { $lte: upToMs }, ...others(reading) };
      await notices.updateMany(upTo, { $set: { readAtMs: nowMs } });
    },
    /** When the n-th newest of a user happened, beside epochs; null when there are fewer. */
    async atOf(userId: string, nth: number) {
      const found = notices
        .find({ userId, kind: NO_EPOCH }, { projection: { atMs: 1 } })
        .sort({ atMs: -1, _id: -1 })
        .skip(nth - 1)
        .limit(1);
      return (await found.toArray())[0]?.atMs ?? null;
    },
    /** Takes away those that happened then or before, beside epochs. */
    async dropUpTo(userId: string, atMs: number) {
      await notices.deleteMany({ userId, kind: NO_EPOCH, atMs: { $lte: atMs } });
    },
    /** Takes one back that holds no more. @returns whether there was one */
    withdraw: async (userId: string, kind: string, subject: string) =>
      (await notices.deleteOne({ userId, kind, subject })).deletedCount > 0,
    /** Those that are to be pushed and are this replica's, the longest waiting first. */
    async duePushes(nowMs: number, limit: number, takes: IdFilter) {
      const found = await firstDue(notices, 'pushAtMs', dueTimes(nowMs, PUSH_WAIT_MS_MAX), limit, takes);
      return (found as NoticeDoc[]).map(NOTICES.read);
    },
    /** Keeps how far the push of one has come; null when there is no more to do. */
    async pushed(id: string, next: { atMs: number; tries: number; to: readonly string[] } | null) {
      const change =
        next === null
          ? { $unset: { pushAtMs: '', pushTries: '', pushedTo: '' } as const }
          : { $set: { pushAtMs: next.atMs, pushTries: next.tries, pushedTo: [...next.to] } };
      await notices.updateOne({ _id: id }, change);
    },
  };
}
