/** Lets what follows run in a task of its own, so that a hand on the page is answered in between. No timer: a hidden page's wait. */
export function ownTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Runs once nothing else is to be done; where a browser cannot tell, as the next task. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => run());
  else setTimeout(run);
}

/** Resolves once nothing else is to be done. */
export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}

/** So long nothing may have kept the page from answering before it is called quiet, and so long is waited for that at the most, ms. */
const QUIET_MS = 3_000;
const QUIET_WITHIN_MS = 10_000;

/**
 * Runs once the page has been quiet for a while: for what nobody waits for, and what would take a slow device from what it still does
 * for the screen. Where a browser does not tell of long tasks, after that while.
 * @returns to be called where it is no longer wanted
 */
export function whenQuiet(run: () => void): () => void {
  const latestMs = performance.now() + QUIET_WITHIN_MS;
  const busy = new PerformanceObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(end, Math.min(QUIET_MS, latestMs - performance.now()));
  });
  const stop = () => {
    clearTimeout(timer);
    busy.disconnect();
  };
  const end = () => {
    stop();
    run();
  };
  let timer = setTimeout(end, QUIET_MS);
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) busy.observe({ type: 'longtask' });
  return stop;
}
