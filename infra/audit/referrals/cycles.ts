/** Maximum number of users named per cycle. */
const NAMED_MAX = 6;

/**
 * Finds cycles of referrers: nobody may be above themselves.
 * @param links from friend to referrer
 * @returns each cycle once, as a list of ids
 */
export function cyclesIn(links: ReadonlyMap<string, string>): string[][] {
  const over = new Set<string>();
  const cycles: string[][] = [];
  for (const begin of links.keys()) {
    const path: string[] = [];
    const place = new Map<string, number>();
    let at: string | undefined = begin;
    while (at !== undefined && !over.has(at) && !place.has(at)) {
      place.set(at, path.length);
      path.push(at);
      at = links.get(at);
    }
    const from = at === undefined ? undefined : place.get(at);
    if (from !== undefined) cycles.push(path.slice(from));
    for (const id of path) over.add(id);
  }
  return cycles;
}

/** Returns a cycle as one line of text. */
export function cycleText(cycle: readonly string[]): string {
  const named = cycle.slice(0, NAMED_MAX).join(' is referred by ');
  const more = cycle.length - NAMED_MAX;
  return `${named}${more > 0 ? ` and ${more} more` : ''}, who is referred by the first`;
}
