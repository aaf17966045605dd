import type { RateClass } from '@cord/contracts/endpoint';
import { RATE_LIMITS } from '@cord/contracts/limits';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from './clock.js';
import { collection } from './collection.js';
import { tooMany } from './problem.js';
import { isStoreUnavailable } from './store-errors.js';

/** The caller whose budget is used: a signed-in user, or an address (for IPv6 its /56). */
type Caller = { readonly userId: string } | { readonly address: string };

export interface RateLimits {
  /**
   * Takes one call from a budget.
   * @param budget a route, or a name shared by routes that do the same
   * @throws Problem 429 with Retry-After
   */
  take(rateClass: RateClass, caller: Caller, budget: string): Promise<void>;
  /** Whether the next call would be refused, without taking one. Only for classes counted in memory. */
  isSpent(rateClass: RateClass, caller: Caller, budget: string): Promise<boolean>;
}

/** Classes that must be counted across replicas, in the store; the others are counted in memory. */
const STORED: ReadonlySet<RateClass> = new Set(['signIn', 'guess', 'claim', 'order', 'start']);

interface RateLimitOptions {
  /** RATE_LIMIT_SCALE: multiplies every budget; 0 disables limits. */
  scale: number;
  clock: Clock;
  /** Store of the counts of STORED classes; without it they are counted in memory. */
  store?: Connection;
  /**
   * Hash that replaces an address in the store, which never holds addresses; without it
   * an address is counted in memory.
   */
  addressHash?: (address: string) => string;
  /** Runs for each call that a budget refuses. */
  onRefused?: (rateClass: RateClass) => void;
}

export function createRateLimits({ scale, clock, store, addressHash, onRefused }: RateLimitOptions): RateLimits {
  if (scale === 0) return { take: async () => undefined, isSpent: async () => false };
  const inMemory = new Map<RateClass, RateLimiterMemory>();
  const limiterOf = (rateClass: RateClass): RateLimiterMemory => {
    const known = inMemory.get(rateClass);
    if (known) return known;
    const { points, seconds } = RATE_LIMITS[rateClass];
    const made = new RateLimiterMemory({ keyPrefix: rateClass, points: scaled(points, scale), duration: seconds });
    inMemory.set(rateClass, made);
    return made;
  };
  /** Name of the caller in the store; null when it may not be stored. */
  const storedName = (caller: Caller): string | null =>
    'userId' in caller ? caller.userId : (addressHash?.(caller.address) ?? null);
  /** @returns ms until the budget allows a call again; null when it allowed this one */
  const takeOne = async (rateClass: RateClass, caller: Caller, budget: string): Promise<number | null> => {
    try {
      const name = STORED.has(rateClass) ? storedName(caller) : null;
      if (store && name !== null) return await takeStored(store, clock, scale, rateClass, `${name}|${budget}`);
    } catch (err) {
      // While the store is away each replica counts for itself: a sign-in must still report its own error.
      if (!isStoreUnavailable(err)) throw err;
    }
    try {
      await limiterOf(rateClass).consume(memoryKey(caller, budget));
      return null;
    } catch (err) {
      if (err instanceof RateLimiterRes) return err.msBeforeNext;
      throw err;
    }
  };
  return {
    async take(rateClass, caller, budget) {
      const waitMs = await takeOne(rateClass, caller, budget);
      if (waitMs === null) return;
      onRefused?.(rateClass);
      throw tooMany(waitMs / 1_000);
    },
    async isSpent(rateClass, caller, budget) {
      const counted = await limiterOf(rateClass).get(memoryKey(caller, budget));
      return counted !== null && counted.remainingPoints <= 0;
    },
  };
}

function memoryKey(caller: Caller, budget: string): string {
  return `${'userId' in caller ? caller.userId : caller.address}|${budget}`;
}

interface Window {
  _id: string;
  calls: number;
  expiresAt: Date;
}

/** The store deletes old windows; the kit's clock decides which one counts. */
export const RATE_WINDOWS = collection<Window>({
  name: 'rate_windows',
  indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
});

/**
 * Counts in a fixed window of the kit's clock: one document per window, one atomic operation.
 * @returns ms until the next window, when this one is spent
 */
async function takeStored(
  store: Connection,
  clock: Clock,
  scale: number,
  rateClass: RateClass,
  key: string,
): Promise<number | null> {
  const { points, seconds } = RATE_LIMITS[rateClass];
  const nowMs = clock.now();
  const windowMs = seconds * 1_000;
  const window = Math.floor(nowMs / windowMs);
  const endMs = (window + 1) * windowMs;
  const counted = await RATE_WINDOWS.in(store).findOneAndUpdate(
    { _id: `${rateClass}|${key}|${window}` },
    // The TTL index only cleans up, an hour late.
    { $inc: { calls: 1 }, $setOnInsert: { expiresAt: new Date(endMs + 3_600_000) } },
    { upsert: true, returnDocument: 'after' },
  );
  return (counted?.calls ?? 0) > scaled(points, scale) ? endMs - nowMs : null;
}

function scaled(points: number, scale: number): number {
  return Math.max(1, Math.floor(points * scale));
}
