/** Sort order of a list: 1 rises, -1 falls, and the last field makes it unique. These are the index fields after those that the list's filter fixes. */
export type ListOrder<P> = readonly (readonly [field: keyof P & string, direction: 1 | -1])[];

/** A part of a list, as a filter. */
export type ListRange = Readonly<Record<string, unknown>>;

/**
 * Returns filters for what follows a position, nearest first, each one range of the order's index. For a single `$or` filter a store that
 * cannot merge would read from the beginning, or collect and sort.
 */
export function rangesAfter<P extends object>(order: ListOrder<P>, place: P): ListRange[] {
  return order
    .map(([field, direction], depth) => {
      const shared = order.slice(0, depth).map(([name]) => [name, place[name]] as const);
      return { ...Object.fromEntries(shared), [field]: { [direction === 1 ? '$gt' : '$lt']: place[field] } };
    })
    .reverse();
}

/**
 * Reads a page after a position, or the first page, at the cost of what it shows.
 * @param read returns the list's items in a range, in order, at most `most`; it sorts by `Object.fromEntries(order)`
 */
export async function readAfter<P extends object, T>(
  { order, after, limit }: { order: ListOrder<P>; after: P | null; limit: number },
  read: (range: ListRange, most: number) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (const range of after === null ? [{}] : rangesAfter(order, after)) {
    if (found.length >= limit) break;
    found.push(...(await read(range, limit - found.length)));
  }
  return found;
}
