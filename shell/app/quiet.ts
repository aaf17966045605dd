/** Time without long tasks after which a page is quiet, and the maximum wait for it, ms. */
const QUIET_MS = 3_000;
const QUIET_WITHIN_MS = 10_000;

/**
 * Runs a task once the page has been quiet for a while, for low-priority work that would slow a first render. Without
 * long-task reports from the browser it runs after that time.
 * @returns a function that cancels it
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
