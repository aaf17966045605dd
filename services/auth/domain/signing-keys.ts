import { SESSION_MS } from '@cord/contracts/rules/timings';

/** A key is published this long before it signs, so that every verifier has it by then (services/README.md#sign-in-and-rights). */
export const PUBLISHED_AHEAD_MS = 10 * 60_000;
/** A key signs for this long; the next one is made in time. */
export const SIGNS_FOR_MS = 30 * 86_400_000;

/** When a key does what; all times ms since epoch. */
export interface KeyTimes {
  kid: string;
  /** 1 for the first key, then counted up: two replicas cannot both make number n. */
  generation: number;
  signsFromMs: number;
}

/** The key that signs now: the newest whose time has come; where a clock that is ahead has made all of them, the first one. Null before the first. */
export function signingKey<K extends KeyTimes>(keys: readonly K[], nowMs: number): K | null {
  const inOrder = [...keys].sort((a, b) => a.generation - b.generation);
  return inOrder.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? inOrder[0] ?? null;
}

/** The key to make now, or null. The first signs at once: no older one can be held. */
export function nextKey(keys: readonly KeyTimes[], nowMs: number): { generation: number; signsFromMs: number } | null {
  const newest = newestOf(keys);
  if (newest === null) return { generation: 1, signsFromMs: nowMs };
  const dueMs = newest.signsFromMs + SIGNS_FOR_MS;
  if (nowMs < dueMs - PUBLISHED_AHEAD_MS) return null;
  return { generation: newest.generation + 1, signsFromMs: Math.max(dueMs, nowMs + PUBLISHED_AHEAD_MS) };
}

/** The keys to publish: those that sign, will sign, or may have signed a token that still lives (7 days after). */
export function publishedKeys<K extends KeyTimes>(keys: readonly K[], nowMs: number): K[] {
  return keys.filter((key) => {
    const successor = keys.find((other) => other.generation === key.generation + 1);
    return successor === undefined || nowMs < successor.signsFromMs + SESSION_MS;
  });
}

function newestOf<K extends KeyTimes>(keys: readonly K[]): K | null {
  return keys.reduce<K | null>((best, key) => (best && best.generation > key.generation ? best : key), null);
}
