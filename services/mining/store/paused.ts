import type { TimeSpan } from '@cord/kit/page';
import type { Connection } from 'mongoose';
import { ACCOUNTS, CORRECTIONS, SESSIONS } from './collections.js';

/** Corrections that are looked at: each one takes two operators. */
const CORRECTIONS_MAX = 10_000;

/** How many nodes paused in a span. */
export interface PausedCount {
  paused: number;
  /** Those of them whose owner has had a correction since the span began. */
  corrected: number;
}

/** A node whose lease ended in a span. */
export interface PausedNode {
  userId: string;
  /** End of the lease, ms since epoch. */
  pausedAtMs: number;
  /** It runs again; false where the account is gone. */
  runs: boolean;
  /** Sum of the owner's corrections since the span began, micro-CORD; null where there is none. */
  correctedMicro: bigint | null;
}

/** Which nodes paused in a span: their sessions, once the relay has written them. Nodes that run in it, and those that were stopped, are none. */
export type PausedReads = ReturnType<typeof createPausedReads>;

export function createPausedReads(store: Connection) {
  const [accounts, sessions, corrections] = [ACCOUNTS.in(store), SESSIONS.in(store), CORRECTIONS.in(store)];
  const within = ({ fromMs, belowMs }: TimeSpan) => ({
    status: 'paused' as const,
    endedAtMs: { $gte: fromMs, $lt: belowMs },
  });
  /** Sums by user, of some users or of all. */
  const correctedSince = async (fromMs: number, userIds?: readonly string[]) => {
    const of = userIds === undefined ? {} : { userId: { $in: [...userIds] } };
    const found = corrections
      .find(
        { status: 'confirmed', proposedAtMs: { $gte: fromMs }, ...of },
        { projection: { userId: 1, amountMicro: 1 } },
      )
      .limit(CORRECTIONS_MAX);
    const sums = new Map<string, bigint>();
    for await (const { userId, amountMicro } of found) sums.set(userId, (sums.get(userId) ?? 0n) + BigInt(amountMicro));
    return sums;
  };
  const nodes = async (filter: object) => {
    const [found] = await sessions
      .aggregate<{ count: number }>([{ $match: filter }, { $group: { _id: '$userId' } }, { $count: 'count' }])
      .toArray();
    return Number(found?.count ?? 0);
  };
  return {
    async count(span: TimeSpan): Promise<PausedCount> {
      const corrected = [...(await correctedSince(span.fromMs)).keys()];
      const [paused, ofThem] = await Promise.all([
        nodes(within(span)),
        corrected.length === 0 ? 0 : nodes({ ...within(span), userId: { $in: corrected } }),
      ]);
      return { paused, corrected: ofThem };
    },
    /**
     * Nodes that paused, the latest first.
     * @param sinceMs from when on a correction may concern the span, ms since epoch
     */
    async list(span: TimeSpan, limit: number, sinceMs: number): Promise<PausedNode[]> {
      const found = await sessions.find(within(span)).sort({ endedAtMs: -1 }).limit(limit).toArray();
      const userIds = found.map(({ userId }) => userId);
      const [states, sums] = await Promise.all([
        accounts.find({ _id: { $in: userIds } }, { projection: { 'node.status': 1 } }).toArray(),
        correctedSince(sinceMs, userIds),
      ]);
      const running = new Set(states.filter(({ node }) => node.status === 'active').map(({ _id }) => _id));
      return found.map(({ userId, endedAtMs }) => ({
        ...{ userId, pausedAtMs: endedAtMs ?? 0 },
        ...{ runs: running.has(userId), correctedMicro: sums.get(userId) ?? null },
      }));
    },
  };
}
