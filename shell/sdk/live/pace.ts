/** Runs what was not run for a while at once, and the rest when its time has come, once. */
export function createPace(now: () => number = Date.now) {
  const ranAtMs = new Map<string, number>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();

  function start(id: string, run: () => void): void {
    waiting.delete(id);
    ranAtMs.set(id, now());
    run();
  }

  return {
    /** @param everyMs so often at most; 0 runs it at once */
    take(id: string, everyMs: number, run: () => void): void {
      if (waiting.has(id) && everyMs > 0) return;
      clearTimeout(waiting.get(id));
      const leftMs = (ranAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs - now();
      if (leftMs <= 0) start(id, run);
      else waiting.set(id, setTimeout(start, leftMs, id, run));
    },
    forget(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      ranAtMs.clear();
    },
  };
}
