import { DAY_MS } from '@cord/contracts/rules/days';
import { HOURS_DAYS, SESSION_MS } from '@cord/contracts/rules/timings';
import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** A sign-in session; its id is the token's jti. An ended one is kept for a while: it shows when the user was signed in. */
interface SessionDoc {
  _id: string;
  userId: string;
  createdAtMs: number;
  /** Planned or actual end, ms. */
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

/** Maximum number of open sessions per user; the oldest are ended first. */
export const SESSIONS_MAX = 50;
/** How long an ended session is kept, ms: as long as node hours are explained. */
const ENDED_KEPT_MS = HOURS_DAYS * DAY_MS;
/** Maximum number of ended sessions kept per user; the oldest are deleted first. */
const ENDED_MAX = 200;

/** A span in which a user was signed in, ms since epoch. */
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
    /** Deletes a session whose token was given to no client. */
    async remove(jti: string) {
      await sessions.deleteOne({ _id: jti });
    },
    /** Returns sessions that had not ended at a time, newest first. */
    ofUser: (userId: string, nowMs: number) =>
      sessions
        .find({ userId, expiresAtMs: { $gt: nowMs } })
        .sort({ createdAtMs: -1 })
        .limit(endedMax + 2 * SESSIONS_MAX)
        .toArray(),
    /** Counts the kept sessions that began since a time. */
    countSince: (userId: string, sinceMs: number) => sessions.countDocuments({ userId, createdAtMs: { $gt: sinceMs } }),
    /** Notes that the session is in use. */
    async seen(jti: string, nowMs: number) {
      await sessions.updateOne({ _id: jti }, { $max: { lastSeenAtMs: nowMs } });
    },
    /** Ends sessions now; an ended one is unchanged. */
    async end(jtis: readonly string[], nowMs: number) {
      await sessions.updateMany({ _id: { $in: [...jtis] } }, { $min: { expiresAtMs: nowMs } });
    },
    /** Ends every session of the user that has begun. */
    async endAll(userId: string, nowMs: number) {
      const open = { userId, createdAtMs: { $lte: nowMs }, expiresAtMs: { $gt: nowMs } };
      await sessions.updateMany(open, { $set: { expiresAtMs: nowMs } });
    },
    /** Ends every open session that began before a time. Returns their number. */
    async endBegunBefore(atMs: number) {
      const open = { createdAtMs: { $lt: atMs }, expiresAtMs: { $gt: atMs } };
      return (await sessions.updateMany(open, { $set: { expiresAtMs: atMs } })).modifiedCount;
    },
    /** Returns when the user was signed in, on any device, oldest first without overlap; from the kept sessions. */
    async signedIn(userId: string, nowMs: number) {
      const all = await sessions
        .find({ userId })
        .sort({ createdAtMs: -1 })
        .limit(endedMax + 2 * SESSIONS_MAX)
        .toArray();
      const ended = all.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
      // There may have been older ones, which could last as long as a session may.
      const oldest = ended.length >= endedMax ? ended.at(-1) : undefined;
      return mergeSpans(
        all.map((each) => ({
          fromMs: each.createdAtMs,
          toMs: each === oldest ? each.createdAtMs + SESSION_MS : each.expiresAtMs,
        })),
      );
    },
    /** Deletes all but the newest ended sessions of a user. */
    async removeOldest(userId: string, nowMs: number) {
      const old = await sessions
        .find({ userId, expiresAtMs: { $lte: nowMs } }, { projection: { _id: 1 } })
        .sort({ createdAtMs: -1 })
        .skip(endedMax)
        .limit(endedMax)
        .toArray();
      if (old.length > 0) await sessions.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
    },
    /** Deletes sessions that ended before any explained hour. */
    async removeExpired(nowMs: number) {
      await sessions.deleteMany({ expiresAtMs: { $lte: nowMs - ENDED_KEPT_MS } });
    },
  };
}

/** Merges overlapping and adjacent spans, oldest first. */
function mergeSpans(spans: readonly SignedIn[]): SignedIn[] {
  const merged: SignedIn[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else merged.push({ ...span });
  }
  return merged;
}
