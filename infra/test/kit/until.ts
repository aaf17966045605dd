import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

type Found<T> = T | false | null | undefined;

/**
 * Polls until `look` returns something truthy. An error in `look` counts as "not yet".
 * @param what for the error message
 * @returns what was found
 * @throws {Error} when nothing is found within `withinMs`
 */
export async function until<T>(what: string, look: () => Found<T> | Promise<Found<T>>, withinMs = 120_000): Promise<T> {
  let last: unknown = '';
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(POLL_MS)) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`timeout after ${withinMs} ms: ${what} ${last}`);
}
