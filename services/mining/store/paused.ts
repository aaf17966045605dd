import type { TimeSpan } from '@cord/kit/page';
import type { Connection } from 'mongoose';
import { ACCOUNTS, CORRECTIONS, SESSIONS } from './collections.js';

/** Maximum number of corrections that are read: each needs two operators, so they are few. */
const CORRECTIONS_MAX = 10_000;

/** Number of nodes that paused in a time span. */
export interface PausedCount {
  paused: number;
  /** Number of them whose owner has had a correction since the span began. */
  corrected: number;
}

/** A node whose lease ended in a time span. */
export interface PausedNode {
  userId: string;
  /** End of the lease, ms since epoch. */
  pausedAtMs: number;
  /** Whether it runs again; false when the account was erased. */
  runs: boolean;
  /** Sum of the owner's corrections since the span began, micro-CORD; null without any. */
  correctedMicro: bigint | null;
}

/** Reads which nodes paused in a time span, from the sessions that the relay has written. Running and stopped nodes are not included. */
export type PausedReads = ReturnType<typeof createPausedReads>;

export function createPausedReads(store: Connection) {
  const [accounts, sessions, corrections] = [ACCOUNTS.in(store), SESSIONS.in(store), CORRECTIONS.in(store)];
  const within = ({ fromMs, belowMs }: TimeSpan) => ({
    status: 'paused' as const,
    endedAtMs: { $gte: fromMs, $lt: belowMs },
  });
  /** Returns the sums by user, for some users or for all. */
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
     * Returns the nodes that paused, latest first.
     * @param sinceMs earliest correction that may concern the span, ms since epoch
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
