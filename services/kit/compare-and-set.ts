import { CHANGE_TRIES_MAX } from './bounds.js';
import { unavailable } from './problem.js';

/** Result of an attempt that another writer preceded. */
export const LOST = Symbol('another writer was faster');

/**
 * Reads, computes and writes, and starts again when another write came between. Every compare-and-set uses this loop except
 * the ledger's, which continues from memory.
 * @throws Problem 503 after too many lost races, and whatever the attempt throws
 */
export async function compareAndSet<T>(attempt: () => Promise<T | typeof LOST>): Promise<T> {
  for (let tries = 0; tries < CHANGE_TRIES_MAX; tries++) {
    const done = await attempt();
    if (done !== LOST) return done;
  }
  throw unavailable('too-many-changes', 'Too many changes at once. Please try again.', 1);
}
