import { fnv1a, mixed } from '@cord/contracts/rules/hash';
import type { mongo } from 'mongoose';
import type { Factors } from '../ledger/account.js';
import type { AccountDoc } from './collections.js';

/** Accounts that one sample looks at, at the most; they are small, and one read by an index. */
const SAMPLE_MOST = 2_000;
/** Numbers by which nodes are drawn: 0 up to this, without it. */
const RING = 2 ** 32;

/** What running nodes earn by, and how many there are of them. */
export interface RunningSample {
  /** Of the nodes that were looked at. */
  factors: readonly Factors[];
  /** All that run, or an estimate of it by how far a full sample reached. */
  running: number;
  /** Every running node was looked at. */
  isWhole: boolean;
}

/** Where a user stands among the numbers by which running nodes are drawn: evenly spread, independent of who they are and what they earn. */
export function drawnAt(userId: string): number {
  return mixed(fnv1a(userId));
}

/**
 * The nodes that run: all of them up to `most`, else `most` in a row from any place of a ring on which users stand at random, so that each is
 * as likely to be among them as any other. What lies between the first and the last of them shows how many there are on the whole ring.
 * It reads `most` accounts however many there are.
 * @param from where the row begins, 0 up to 1
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
  // A node whose lease is over is stopped by the next sweep.
  const factors = drawn.filter(({ node }) => node.leaseUntilMs > nowMs);
  return {
    factors: factors.map((each) => each.factors),
    running: share > 0 ? Math.round(factors.length / share) : factors.length,
    isWhole,
  };
}
