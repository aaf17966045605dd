import { YIELD_LOOK_MS } from '../bounds.js';

/** Whether this replica yields to the others of its service (services/kit/README.md#events-and-requests), which then get calls and requests first. */
export type Yielding = ReturnType<typeof createYielding>;

/**
 * Polls every `everyMs`, because the store's driver emits no event when nothing arrives for a while. A late poll decides nothing, unless
 * the previous one was late too: while the process was paused, nothing could arrive.
 */
export function createYielding(everyMs = YIELD_LOOK_MS) {
  const followers = new Set<(yields: boolean) => void>();
  let timer: NodeJS.Timeout | undefined;
  let yields = false;
  return {
    isYielding: () => yields,
    /** Runs at each change. @returns a function that unsubscribes */
    onYield(run: (yields: boolean) => void): () => void {
      followers.add(run);
      return () => followers.delete(run);
    },
    /** Makes the replica yield while the condition holds. */
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
