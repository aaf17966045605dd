import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';
import type { MinedAtAddress } from '../domain/anticheat.js';

/** A mining session at a counted address, as node and balance events tell; 30 days (decisions, Anti-cheat). */
export interface MinedSession {
  sessionId: string;
  userId: string;
  addressHash: string;
  /** ms the user's node had run before this session, and up to where it has run in it. */
  ranBeforeMs: number;
  ranToMs: number;
  lastAtMs: number;
}

export interface MinedStore {
  /** A node event; numbers only grow, so that duplicates and reordering are harmless. */
  note(session: MinedSession): Promise<void>;
  /** A running session came further, as a balance event tells; unknown sessions are left alone. */
  advance(session: { sessionId: string; userId: string; ranToMs: number; lastAtMs: number }): Promise<boolean>;
  /** What the user mined at each address since then, ms. */
  ofUser(userId: string, sinceMs: number): Promise<MinedAtAddress[]>;
  removeOlder(beforeMs: number): Promise<void>;
  removeUser(userId: string): Promise<void>;
  ensureIndexes(): Promise<void>;
}

type MinedDoc = Omit<MinedSession, 'sessionId'> & { _id: string };

const schema = new Schema<MinedDoc>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    addressHash: { type: String, required: true },
    ranBeforeMs: { type: Number, required: true },
    ranToMs: { type: Number, required: true },
    lastAtMs: { type: Number, required: true },
  },
  { collection: 'mined_sessions', versionKey: false, strict: 'throw' },
);
schema.index({ userId: 1, lastAtMs: -1 });
schema.index({ lastAtMs: 1 });

/** More sessions in 30 days than a person starts; older ones beyond it do not count. */
const SESSIONS_READ_MAX = 2_000;

export function createMinedStore(connection: Connection): MinedStore {
  const mined = connection.model<MinedDoc>('MinedSession', schema);
  return {
    async note({ sessionId, userId, addressHash, ranBeforeMs, ranToMs, lastAtMs }) {
      await mined.updateOne(
        { _id: sessionId },
        { $set: { userId, addressHash, ranBeforeMs }, $max: { ranToMs, lastAtMs } },
        { upsert: true },
      );
    },
    async advance({ sessionId, userId, ranToMs, lastAtMs }) {
      const { matchedCount } = await mined.updateOne({ _id: sessionId, userId }, { $max: { ranToMs, lastAtMs } });
      return matchedCount === 1;
    },
    async ofUser(userId, sinceMs) {
      const sessions = await mined
        .find({ userId, lastAtMs: { $gt: sinceMs } })
        .sort({ lastAtMs: -1 })
        .limit(SESSIONS_READ_MAX)
        .lean();
      const byAddress = new Map<string, number>();
      for (const session of sessions) {
        const withinWindowMs = Math.min(session.ranToMs - session.ranBeforeMs, session.lastAtMs - sinceMs);
        byAddress.set(session.addressHash, (byAddress.get(session.addressHash) ?? 0) + Math.max(0, withinWindowMs));
      }
      return [...byAddress].map(([addressHash, minedMs]) => ({ addressHash, minedMs }));
    },
    async removeOlder(beforeMs) {
      await mined.deleteMany({ lastAtMs: { $lte: beforeMs } });
    },
    async removeUser(userId) {
      await mined.deleteMany({ userId });
    },
    async ensureIndexes() {
      await mined.createIndexes();
    },
  };
}
