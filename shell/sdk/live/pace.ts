import type { Stale } from './table';

/** Lets through what was not told of for a while at once, and the rest when its time has come, once. */
export function createPace(outdate: (queryKey: readonly unknown[]) => void, now: () => number = Date.now) {
  const toldAtMs = new Map<string, number>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();

  function tell(id: string, queryKey: readonly unknown[]): void {
    waiting.delete(id);
    toldAtMs.set(id, now());
    outdate(queryKey);
  }

  return {
    take({ queryKey, everyMs }: Stale): void {
      const id = JSON.stringify(queryKey);
      if (waiting.has(id)) return;
      const leftMs = (toldAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + everyMs - now();
      if (leftMs <= 0) tell(id, queryKey);
      else waiting.set(id, setTimeout(tell, leftMs, id, queryKey));
    },
    forget(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
      toldAtMs.clear();
    },
  };
}
