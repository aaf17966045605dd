import { upgrade } from '@cord/kit/document-schema';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { NOTICE, type NoticeDoc, type Place, STORED_KINDS } from './notice.js';

export const NOTICES = 'notices';

export interface NoticeStore {
  /** Whether it was made; false when the user was told of it before. */
  insert(notice: NoticeDoc): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** A user's own that hold at a time, newest first, from after a place. */
  list(userId: string, page: { nowMs: number; after: Place | null; limit: number }): Promise<NoticeDoc[]>;
  /** All of a user's, for the export. */
  ofUser(userId: string): Promise<NoticeDoc[]>;
  unread(userId: string, nowMs: number): Promise<number>;
  markRead(userId: string, upToMs: number, nowMs: number): Promise<void>;
  /** When the n-th newest of a user happened; null when there are fewer. */
  atOf(userId: string, nth: number): Promise<number | null>;
  /** Takes away those that happened then or before. */
  dropUpTo(userId: string, atMs: number): Promise<void>;
  /** Takes one back that holds no more. @returns whether there was one */
  withdraw(userId: string, kind: string, subject: string): Promise<boolean>;
  /** All of a user's, and those of others that are about this user. */
  forget(userId: string): Promise<void>;
}

export function openNoticeStore(connection: Connection): NoticeStore {
  const notices = connection.collection<NoticeDoc>(NOTICES);
  const holding = (userId: string, nowMs: number) => ({
    userId,
    kind: { $in: [...STORED_KINDS] },
    expiresAt: { $gt: new Date(nowMs) },
  });
  return {
    async insert(notice) {
      try {
        await notices.insertOne(notice);
        return true;
      } catch (err) {
        if (isDuplicateKey(err)) return false;
        throw err;
      }
    },
    async remove(id) {
      await notices.deleteOne({ _id: id });
    },
    async list(userId, { nowMs, after, limit }) {
      const found = notices
        .find({ ...holding(userId, nowMs), ...(after ? followers(after) : {}) })
        .sort({ atMs: -1, _id: -1 })
        .limit(limit);
      return ((await found.toArray()) as NoticeDoc[]).map((stored) => upgrade(stored, NOTICE));
    },
    ofUser: async (userId) => (await notices.find({ userId }).sort({ atMs: -1, _id: -1 }).toArray()) as NoticeDoc[],
    unread: (userId, nowMs) => notices.countDocuments({ ...holding(userId, nowMs), readAtMs: null }),
    async markRead(userId, upToMs, nowMs) {
      await notices.updateMany({ userId, readAtMs: null, atMs: { $lte: upToMs } }, { $set: { readAtMs: nowMs } });
    },
    async atOf(userId, nth) {
      const found = notices
        .find({ userId }, { projection: { atMs: 1 } })
        .sort({ atMs: -1, _id: -1 })
        .skip(nth - 1)
        .limit(1);
      return (await found.toArray())[0]?.atMs ?? null;
    },
    async dropUpTo(userId, atMs) {
      await notices.deleteMany({ userId, atMs: { $lte: atMs } });
    },
    withdraw: async (userId, kind, subject) => (await notices.deleteOne({ userId, kind, subject })).deletedCount > 0,
    async forget(userId) {
      await notices.deleteMany({ userId });
      await notices.deleteMany({ 'facts.friendId': userId });
    },
  };
}

function followers({ atMs, id }: Place) {
  return { $or: [{ atMs: { $lt: atMs } }, { atMs, _id: { $lt: id } }] };
}
