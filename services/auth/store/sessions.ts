import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** A sign-in session; its id is the token's jti. */
export interface SessionDoc {
  _id: string;
  userId: string;
  createdAtMs: number;
  expiresAtMs: number;
  lastSeenAtMs: number;
  /** Browser and system, never the whole User-Agent. */
  device: string;
}

export const SESSIONS = collection<SessionDoc>({
  name: 'sessions',
  indexes: [{ key: { userId: 1, createdAtMs: -1 } }, { key: { expiresAtMs: 1 } }],
  erase: (documents, userId) => documents.deleteMany({ userId }),
});

/** Sessions of one user that are kept; the oldest end first. */
export const SESSIONS_MAX = 50;

export interface SessionStore {
  insert(session: SessionDoc): Promise<void>;
  /** Sessions that have not expired, newest first. */
  ofUser(userId: string, nowMs: number): Promise<SessionDoc[]>;
  /** Notes that the session is in use. */
  seen(jti: string, nowMs: number): Promise<void>;
  remove(jtis: readonly string[]): Promise<void>;
  removeExpired(nowMs: number): Promise<void>;
  /** Every session that began before; how many. */
  removeBegunBefore(atMs: number): Promise<number>;
}

export function createSessionStore(connection: Connection): SessionStore {
  const sessions = SESSIONS.in(connection);
  return {
    async insert(session) {
      await sessions.insertOne(session);
    },
    ofUser: (userId, nowMs) =>
      sessions
        .find({ userId, expiresAtMs: { $gt: nowMs } })
        .sort({ createdAtMs: -1 })
        .limit(2 * SESSIONS_MAX)
        .toArray(),
    async seen(jti, nowMs) {
      await sessions.updateOne({ _id: jti }, { $max: { lastSeenAtMs: nowMs } });
    },
    async remove(jtis) {
      await sessions.deleteMany({ _id: { $in: [...jtis] } });
    },
    async removeExpired(nowMs) {
      await sessions.deleteMany({ expiresAtMs: { $lte: nowMs } });
    },
    async removeBegunBefore(atMs) {
      return (await sessions.deleteMany({ createdAtMs: { $lt: atMs } })).deletedCount;
    },
  };
}
