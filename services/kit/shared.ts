/**
 * Shares one value among all callers for a while; the first one creates it, and after a failure the next one does.
 * @param keptMs lifetime since its creation began, by the clock of `get`
 */
export function createShared<V>(keptMs = Number.POSITIVE_INFINITY): {
  get(nowMs: number, make: () => Promise<V>): Promise<V>;
  /** Drops the value, which is known to be old: the next `get` creates it again. */
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

/** Shares a running read among all concurrent callers, for example several figures of one scrape. */
export function shareRunning<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** A value that is read periodically and must not be older than `ageMs` when something depends on it. */
export type Refreshed = ReturnType<typeof createRefreshed>;

/**
 * @param read reads and stores the value
 * @param ageMs maximum age of the last read, ms by `now`; a clock that was set back counts like one that ran ahead
 */
export function createRefreshed(read: () => Promise<void>, ageMs: number, now: () => number) {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const isFresh = () => Math.abs(now() - readAtMs) < ageMs;
  const refresh = shareRunning(() => {
    const fromMs = now();
    running = read().then(() => {
      readAtMs = fromMs;
    });
    return running;
  });
  const readOnce = async (): Promise<void> => {
    // A running one may have begun too long ago.
    await running?.catch(() => undefined);
    if (!isFresh()) await refresh();
  };
  return {
    /** Reads it now, once for all concurrent callers. @throws what `read` throws; the stored value stays */
    refresh,
    /** Whether the last read began less than `ageMs` ago. */
    isFresh,
    /** Reads it unless it is fresh; returns null if it is. @throws what `read` throws */
    ensureFresh: () => (isFresh() ? null : readOnce()),
  };
}
