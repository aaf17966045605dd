import { YIELD_LOOK_MS } from '../bounds.js';

/** Whether this replica yields to the others of its service (services/kit/README.md#events-and-requests): they get calls and requests first. */
export type Yielding = ReturnType<typeof createYielding>;

/**
 * Looks every `everyMs`, as the driver of the store reports no event when nothing has arrived for a while. A look that comes late decides nothing, unless
 * the one before it was late, too: while the process stood still, nothing could arrive.
 */
export function createYielding(everyMs = YIELD_LOOK_MS) {
  const followers = new Set<(yields: boolean) => void>();
  let timer: NodeJS.Timeout | undefined;
  let yields = false;
  return {
    isYielding: () => yields,
    /** Runs at each change. @returns ends it */
    onYield(run: (yields: boolean) => void): () => void {
      followers.add(run);
      return () => followers.delete(run);
    },
    /** From now on the replica yields while this is so. */
    yieldWhile(isLost: () => boolean) {
      clearInterval(timer);
      let [lookedMs, isLate] = [performance.now(), false];
      timer = setInterval(() => {
        const [before, wasLate, nowMs] = [yields, isLate, performance.now()];
        isLate = nowMs - lookedMs > 2 * everyMs;
        lookedMs = nowMs;
        if (isLate && !wasLate) return;
        yields = isLost();
        if (yields !== before) for (const run of followers) run(yields);
      }, everyMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
