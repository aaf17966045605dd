/** Continues in a new task, so that input is handled in between. Not a timer, since hidden pages delay timers. */
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

/** Runs when the browser is idle; as the next task without idle callbacks. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => run());
  else setTimeout(run);
}

/** Resolves when the browser is idle. */
export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}
