import { fnv1a, mixHash } from '@cord/contracts/rules/hash';
import type { mongo } from 'mongoose';
import type { Factors } from '../ledger/account.js';
import type { AccountDoc } from './collections.js';

/** Maximum number of accounts in one sample; they are small and read by an index. */
const SAMPLE_MOST = 2_000;
/** Upper bound of the sampling numbers, exclusive; the lower one is 0. */
const RING = 2 ** 32;

/** A sample of the running nodes' factors, and the number of running nodes. */
export interface RunningSample {
  /** Factors of the sampled nodes. */
  factors: readonly Factors[];
  /** Number of running nodes, or an estimate from the range of a full sample. */
  running: number;
  /** Whether the sample includes every running node. */
  isWhole: boolean;
}

/** Returns a user's sampling number: evenly distributed, independent of the user's identity and earnings. */
export function drawnAt(userId: string): number {
  return mixHash(fnv1a(userId));
}

/**
 * Reads the running nodes: all of them up to `most`, else `most` consecutive ones from a random point of a ring on
 * which users are placed at random, so that each is equally likely. The range of the sample gives the estimate for the
 * whole ring. It reads at most `most` accounts.
 * @param from start of the sample, 0 up to 1
 */
export async function readRunning(
  accounts: mongo.Collection<AccountDoc>,
  { nowMs, from, most = SAMPLE_MOST }: { nowMs: number; from: number; most?: number },
): Promise<RunningSample> {
  const start = Math.floor(from * RING);
  const draw = (range: { $gte: number; $lt: number }, limit: number) =>
    accounts
      .find({ drawnAt: range }, { projection: { drawnAt: 1, factors: 1, 'node.leaseUntilMs': 1 }, batchSize: most })
      .sort({ drawnAt: 1 })
      .limit(limit)
      .toArray();
  const ahead = await draw({ $gte: start, $lt: RING }, most);
  const left = most - ahead.length;
  const around = left > 0 && start > 0 ? await draw({ $gte: 0, $lt: start }, left) : [];
  const drawn = [...ahead, ...around];
  const isWhole = drawn.length < most;
  const lastAt = drawn.at(-1)?.drawnAt ?? start;
  const share = isWhole ? 1 : ((lastAt - start + RING) % RING) / RING;
  // A node with an expired lease is paused by the next sweep.
  const factors = drawn.filter(({ node }) => node.leaseUntilMs > nowMs);
  return {
    factors: factors.map((each) => each.factors),
    running: share > 0 ? Math.round(factors.length / share) : factors.length,
    isWhole,
  };
}
