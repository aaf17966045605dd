/** So long nothing may have kept the page from answering before it is called quiet, and so long is waited for that at the most, ms. */
const QUIET_MS = 3_000;
const QUIET_WITHIN_MS = 10_000;

/**
 * Runs once the page has been quiet for a while: for what nobody waits for, and what would take a slow device from what it still does
 * for the screen. Where a browser does not report long tasks, after that while.
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
