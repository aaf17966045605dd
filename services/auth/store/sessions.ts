import { DAY_MS } from '@cord/contracts/rules/days';
import { HOURS_DAYS, SESSION_MS } from '@cord/contracts/rules/timings';
import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** A sign-in session; its id is the token's jti. One that has ended stays for a while: it shows when the user was signed in. */
interface SessionDoc {
  _id: string;
  userId: string;
  createdAtMs: number;
  /** When it ends, or has ended. */
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

/** Sessions of one user that are open; the oldest end first. */
export const SESSIONS_MAX = 50;
/** How long one stays that has ended, ms: as long as hours of the node are explained. */
const ENDED_KEPT_MS = HOURS_DAYS * DAY_MS;
/** Ended sessions of one user that stay; the oldest go first. */
const ENDED_MAX = 200;

/** A stretch in which a user was signed in, ms since epoch. */
interface SignedIn {
  fromMs: number;
  toMs: number;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(connection: Connection, endedMax = ENDED_MAX) {
  const sessions = SESSIONS.in(connection);
  return {
    async insert(session: SessionDoc) {
      await sessions.insertOne(session);
    },
    /** Takes away one whose token was given to no client. */
    async remove(jti: string) {
      await sessions.deleteOne({ _id: jti });
    },
    /** Sessions that had not ended at a time, newest first. */
    ofUser: (userId: string, nowMs: number) =>
      sessions
        .find({ userId, expiresAtMs: { $gt: nowMs } })
        .sort({ createdAtMs: -1 })
        .limit(endedMax + 2 * SESSIONS_MAX)
        .toArray(),
    /** How many have begun since a time, of those that stay. */
    countSince: (userId: string, sinceMs: number) => sessions.countDocuments({ userId, createdAtMs: { $gt: sinceMs } }),
    /** Notes that the session is in use. */
    async seen(jti: string, nowMs: number) {
      await sessions.updateOne({ _id: jti }, { $max: { lastSeenAtMs: nowMs } });
    },
    /** Ends sessions now; one that has ended stays as it is. */
    async end(jtis: readonly string[], nowMs: number) {
      await sessions.updateMany({ _id: { $in: [...jtis] } }, { $min: { expiresAtMs: nowMs } });
    },
    /** Ends every session of the user that has begun by now. */
    async endAll(userId: string, nowMs: number) {
      const open = { userId, createdAtMs: { $lte: nowMs }, expiresAtMs: { $gt: nowMs } };
      await sessions.updateMany(open, { $set: { expiresAtMs: nowMs } });
    },
    /** Ends every open session that began before; how many. */
    async endBegunBefore(atMs: number) {
      const open = { createdAtMs: { $lt: atMs }, expiresAtMs: { $gt: atMs } };
      return (await sessions.updateMany(open, { $set: { expiresAtMs: atMs } })).modifiedCount;
    },
    /** When the user was signed in, on whatever device, oldest first and apart; of the sessions that stay. */
    async signedIn(userId: string, nowMs: number) {
      const all = await sessions
        .find({ userId })
        .sort({ createdAtMs: -1 })
        .limit(endedMax + 2 * SESSIONS_MAX)
        .toArray();
      const ended = all.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
      // Before the oldest of them there may have been others, which lasted as long as a session may.
      const oldest = ended.length >= endedMax ? ended.at(-1) : undefined;
      return apart(
        all.map((each) => ({
          fromMs: each.createdAtMs,
          toMs: each === oldest ? each.createdAtMs + SESSION_MS : each.expiresAtMs,
        })),
      );
    },
    /** Of a user's ended sessions only the newest stay. */
    async removeOldest(userId: string, nowMs: number) {
      const old = await sessions
        .find({ userId, expiresAtMs: { $lte: nowMs } }, { projection: { _id: 1 } })
        .sort({ createdAtMs: -1 })
        .skip(endedMax)
        .limit(endedMax)
        .toArray();
      if (old.length > 0) await sessions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    },
    /** Removes what ended so long ago that nothing is explained by it. */
    async removeExpired(nowMs: number) {
      await sessions.deleteMany({ expiresAtMs: { $lte: nowMs - ENDED_KEPT_MS } });
    },
  };
}

/** Stretches as one where they touch, oldest first. */
function apart(spans: readonly SignedIn[]): SignedIn[] {
  const merged: SignedIn[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else merged.push({ ...span });
  }
  return merged;
}
