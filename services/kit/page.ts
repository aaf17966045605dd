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
