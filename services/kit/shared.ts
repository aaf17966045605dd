/**
 * One value for all callers within a while, made by the first; what has failed is made anew by the next.
 * @param keptMs from when its making began, by the clock of `get`
 */
export function createShared<V>(keptMs = Number.POSITIVE_INFINITY): {
  get(nowMs: number, make: () => Promise<V>): Promise<V>;
  /** What is held is known to be old: the next `get` makes it anew. */
  forget(): void;
} {
  let held: { readonly atMs: number; readonly value: Promise<V> } | null = null;
  return {
    get(nowMs, make) {
      if (held && Math.abs(nowMs - held.atMs) < keptMs) return held.value;
      const mine = { atMs: nowMs, value: make() };
      held = mine;
      mine.value.catch(() => {
        if (held === mine) held = null;
      });
      return mine.value;
    },
    forget() {
      held = null;
    },
  };
}
