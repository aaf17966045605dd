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

/** Runs once for all that call while it runs: several figures of one scrape that are read from one answer. */
export function together<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** What is read again and again, and must not be older than `ageMs` where something is decided by it. */
export type Refreshed = ReturnType<typeof createRefreshed>;

/**
 * @param read reads it and keeps it
 * @param ageMs how old the last read may be, ms by `now`; a clock that was set back is as bad as one that ran on
 */
export function createRefreshed(read: () => Promise<void>, ageMs: number, now: () => number) {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const isFresh = () => Math.abs(now() - readAtMs) < ageMs;
  const refresh = together(() => {
    const fromMs = now();
    running = read().then(() => {
      readAtMs = fromMs;
    });
    return running;
  });
  const readOnce = async (): Promise<void> => {
    // One that runs may have begun too long ago.
    await running?.catch(() => undefined);
    if (!isFresh()) await refresh();
  };
  return {
    /** Reads it now, once for all callers of one time. @throws what `read` throws: what was read before stays */
    refresh /** Whether the last read began less than `ageMs` ago. */,
    isFresh /** Reads it unless it is fresh; null, without a wait, when it is. @throws what `read` throws */,
    demand: () => (isFresh() ? null : readOnce()),
  };
}
