import type { RateClass } from '@cord/contracts/endpoint';
import { RATE_LIMITS } from '@cord/contracts/limits';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from './clock.js';
import { tooMany } from './problem.js';
import { isStoreUnavailable } from './store-errors.js';

export interface RateLimits {
  /**
   * Takes one call from a budget.
   * @param key user and route, or address and route
   * @throws Problem 429 with Retry-After
   */
  take(rateClass: RateClass, key: string): Promise<void>;
}

/** Classes whose count must hold across replicas stand in the store; polling is counted in memory (design.md). */
const STORED: ReadonlySet<RateClass> = new Set(['signIn', 'guess', 'claim', 'order']);

interface RateLimitOptions {
  /** RATE_LIMIT_SCALE: multiplies every budget, 0 is off. */
  scale: number;
  clock: Clock;
  /** Where the stored classes count; without it they count in memory. */
  store?: Connection;
}

export function createRateLimits({ scale, clock, store }: RateLimitOptions): RateLimits {
  if (scale === 0) return { take: async () => undefined };
  const inMemory = new Map<RateClass, RateLimiterMemory>();
  const limiterOf = (rateClass: RateClass): RateLimiterMemory => {
    const known = inMemory.get(rateClass);
    if (known) return known;
    const { points, seconds } = RATE_LIMITS[rateClass];
    const made = new RateLimiterMemory({ keyPrefix: rateClass, points: scaled(points, scale), duration: seconds });
    inMemory.set(rateClass, made);
    return made;
  };
  return {
    async take(rateClass, key) {
      try {
        if (store && STORED.has(rateClass)) return await takeStored(store, clock, scale, rateClass, key);
      } catch (err) {
        // While the store is away the replica counts for itself: a sign-in must still tell what is wrong.
        if (!isStoreUnavailable(err)) throw err;
      }
      try {
        await limiterOf(rateClass).consume(key);
      } catch (err) {
        if (err instanceof RateLimiterRes) throw tooMany(err.msBeforeNext / 1_000);
        throw err;
      }
    },
  };
}

interface Window {
  _id: string;
  calls: number;
  expiresAt: Date;
}

/** Counts in a fixed window of the kit's clock: one document a window, one atomic step. */
async function takeStored(
  store: Connection,
  clock: Clock,
  scale: number,
  rateClass: RateClass,
  key: string,
): Promise<void> {
  const { points, seconds } = RATE_LIMITS[rateClass];
  const nowMs = clock.now();
  const windowMs = seconds * 1_000;
  const window = Math.floor(nowMs / windowMs);
  const endMs = (window + 1) * windowMs;
  const counted = await store.collection<Window>('rate_windows').findOneAndUpdate(
    { _id: `${rateClass}|${key}|${window}` },
    // The sweeper of the TTL index only cleans up, an hour late.
    { $inc: { calls: 1 }, $setOnInsert: { expiresAt: new Date(endMs + 3_600_000) } },
    { upsert: true, returnDocument: 'after' },
  );
  if ((counted?.calls ?? 0) > scaled(points, scale)) throw tooMany((endMs - nowMs) / 1_000);
}

/** The index by which the store throws old windows away. */
export async function ensureRateLimitIndexes(store: Connection): Promise<void> {
  await store.collection('rate_windows').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
}

function scaled(points: number, scale: number): number {
  return Math.max(1, Math.floor(points * scale));
}
