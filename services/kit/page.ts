/**
 * Returns one page of a list.
 * @param found in the list's order, at least one more than the page if there are more
 * @param cursorOf returns the cursor after an item; it must stay valid when the item is deleted
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

/** Formats and parses list positions. */
interface Cursor<P> {
  of(place: P): string;
  /** @returns null without a cursor: the start of the list */
  read(text: string | undefined): P | null;
}

/**
 * A cursor with the fields of a position in order, separated by hyphens; only the last may contain hyphens. The call's contract has already
 * validated the text.
 * @param fields parses each field: `{ atMs: Number, id: String }`
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

/** A time span, ms; `belowMs` is exclusive. */
export interface TimeSpan {
  fromMs: number;
  belowMs: number;
}

/** More items than the limits allow per user and hour (limits.ts), let alone in one ms. */
const SAME_MOMENT_MAX = 200;

/**
 * Returns one page of a list sorted by time only, newest first. It includes all items of its last ms, so that the time alone is a
 * sufficient cursor.
 * @param read returns the items in a span, newest first, at most `most`
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
