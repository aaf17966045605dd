import { SESSION_MS } from '@cord/contracts/rules/timings';

/** How long a key is published before it signs, ms, so that every verifier has it (services/README.md#sign-in-and-rights). */
export const PUBLISHED_AHEAD_MS = 10 * 60_000;
/** How long a key signs, ms; the next one is created in time. */
export const SIGNS_FOR_MS = 30 * 86_400_000;

/** The lifetime of a key; all times ms since epoch. */
export interface KeyTimes {
  kid: string;
  /** 1 for the first key, then counted up: two replicas cannot both create number n. */
  generation: number;
  signsFromMs: number;
}

/** Returns the signing key: the newest whose time has begun; the first one if a fast clock dated all of them ahead. Null before the first. */
export function signingKey<K extends KeyTimes>(keys: readonly K[], nowMs: number): K | null {
  const inOrder = [...keys].sort((a, b) => a.generation - b.generation);
  return inOrder.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? inOrder[0] ?? null;
}

/** Returns the key to create now, or null. The first signs at once: there is no older one. */
export function nextKey(keys: readonly KeyTimes[], nowMs: number): { generation: number; signsFromMs: number } | null {
  const newest = newestOf(keys);
  if (newest === null) return { generation: 1, signsFromMs: nowMs };
  const dueMs = newest.signsFromMs + SIGNS_FOR_MS;
  if (nowMs < dueMs - PUBLISHED_AHEAD_MS) return null;
  return { generation: newest.generation + 1, signsFromMs: Math.max(dueMs, nowMs + PUBLISHED_AHEAD_MS) };
}

/** Returns the keys to publish: those that sign, will sign, or signed tokens that are not expired yet (7 days after). */
export function publishedKeys<K extends KeyTimes>(keys: readonly K[], nowMs: number): K[] {
  return keys.filter((key) => {
    const successor = keys.find((other) => other.generation === key.generation + 1);
    return successor === undefined || nowMs < successor.signsFromMs + SESSION_MS;
  });
}

function newestOf<K extends KeyTimes>(keys: readonly K[]): K | null {
  return keys.reduce<K | null>((best, key) => (best && best.generation > key.generation ? best : key), null);
}
