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

/** Runs once nothing else is to be done; where a browser cannot know, as the next task. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => run());
  else setTimeout(run);
}

/** Resolves once nothing else is to be done. */
export function idle(): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve));
}
