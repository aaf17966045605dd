/** The order of a list, its last field distinguishes what all others do not: 1 rises, -1 falls. The fields of an index, behind those that a list's filter fixes. */
export type ListOrder<P> = readonly (readonly [field: keyof P & string, direction: 1 | -1])[];

/** A part of a list, as a filter. */
export type ListRange = Readonly<Record<string, unknown>>;

/**
 * What follows a place in an order, the nearest first: filters of which each is one range of the order's index. One filter of all of them, by `$or`,
 * is read from the list's beginning, or gathered and sorted, by a store that cannot merge.
 */
export function rangesBehind<P extends object>(order: ListOrder<P>, place: P): ListRange[] {
  return order
    .map(([field, direction], depth) => {
      const shared = order.slice(0, depth).map(([name]) => [name, place[name]] as const);
      return { ...Object.fromEntries(shared), [field]: { [direction === 1 ? '$gt' : '$lt']: place[field] } };
    })
    .reverse();
}

/**
 * A page of a list behind a place, or its first, at the cost of what it shows.
 * @param read what of the list lies in a range, in its order, at most so many; it sorts by `Object.fromEntries(order)`
 */
export async function readBehind<P extends object, T>(
  { order, after, limit }: { order: ListOrder<P>; after: P | null; limit: number },
  read: (range: ListRange, most: number) => Promise<T[]>,
): Promise<T[]> {
  const found: T[] = [];
  for (const range of after === null ? [{}] : rangesBehind(order, after)) {
    if (found.length >= limit) break;
    found.push(...(await read(range, limit - found.length)));
  }
  return found;
}
