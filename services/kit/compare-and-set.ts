import { CHANGE_TRIES_MAX } from './bounds.js';
import { unavailable } from './problem.js';

/** What an attempt gives when another writer was faster. */
export const LOST = Symbol('another writer was faster');

/**
 * Reads, works out and writes unless another write came between, and all of it again when that was lost: the one loop of every
 * compare-and-set but the ledger's, which goes on from memory.
 * @throws Problem 503 when the race is lost too often, and what the attempt throws
 */
export async function compareAndSet<T>(attempt: () => Promise<T | typeof LOST>): Promise<T> {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const done = await attempt();
    if (done !== LOST) return done;
  }
  throw unavailable('too-many-changes', 'Too many changes at once. Please try again.', 1);
}
