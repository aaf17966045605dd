/**
 * One page of a list.
 * @param found in the list's order, at least one more than the page holds if there are more
 * @param cursorOf where the list goes on behind an item; by what does not change when the item goes
 */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  cursorOf: (last: T) => string,
): { shown: T[]; nextCursor: string | null } {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return { shown, nextCursor: found.length > shown.length && last !== undefined ? cursorOf(last) : null };
}

/** Writes and reads the places where a list goes on. */
interface Cursor<P> {
  of(place: P): string;
  /** @returns null for no cursor: the list's beginning */
  read(text: string | undefined): P | null;
}

/**
 * A cursor that holds the fields of a place in their order, between hyphens; only the last may hold hyphens itself. The contract of the call
 * has checked the text by then.
 * @param fields how each field is read: `{ atMs: Number, id: String }`
 */
export function cursor<P extends object>(fields: { [K in keyof P]: (text: string) => P[K] }): Cursor<P> {
  const names = Object.keys(fields) as (keyof P & string)[];
  return {
    of: (place) => names.map((name) => String(place[name])).join('-'),
    read(text) {
      if (text === undefined) return null;
      const parts = text.split('-');
      const last = parts.slice(names.length - 1).join('-');
      const texts = [...parts.slice(0, names.length - 1), last];
      return Object.fromEntries(names.map((name, n) => [name, fields[name](texts[n] ?? '')])) as P;
    },
  };
}

/** From one time to another, ms; the second is left out. */
export interface TimeSpan {
  fromMs: number;
  belowMs: number;
}

/** More than anybody may begin of one thing in an hour (limits.ts), all the more in one moment. */
const SAME_MOMENT_MAX = 200;

/**
 * One page of a list by time, the newest first, of things that have no other order. All that share its last moment stand on it, so that
 * the time alone determines where the list goes on.
 * @param read what lies in a span, the newest first, at most so many
 */
export async function pageByTime<T>(
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  timeOf: (item: T) => number,
  read: (span: TimeSpan, most: number) => Promise<T[]>,
): Promise<{ shown: T[]; nextCursor: string | null }> {
  const belowMs = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const found = await read({ fromMs: 0, belowMs }, limit + 1);
  const [last, next] = found.slice(limit - 1);
  if (last === undefined || next === undefined) return { shown: found, nextCursor: null };
  const lastMs = timeOf(last);
  if (timeOf(next) < lastMs) return { shown: found.slice(0, limit), nextCursor: String(lastMs) };
  const before = found.filter((item) => timeOf(item) > lastMs);
  const together = await read({ fromMs: lastMs, belowMs: lastMs + 1 }, SAME_MOMENT_MAX);
  return { shown: [...before, ...together], nextCursor: String(lastMs) };
}
