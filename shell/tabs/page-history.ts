/** The page's steps in the browser's history: one for each change of tab, and one for each thing that lies over the page. */
export interface PageHistory {
  /** Makes a step to another address of the page; what lies over the page is closed, and its step becomes this one. */
  push(address: string): void;
  /** The address changes, without a step. */
  replace(address: string): void;
  /** Something opens over the page: Back closes it. @returns to be called once it is closed, however that came */
  open(close: () => void): () => void;
  /** Stops listening to Back and Forward. */
  stop(): void;
}

interface Overlay {
  close(): void;
}

const addressNow = () => `${location.pathname}${location.search}${location.hash}`;

/** How many overlays a step stands for; a reload brings the step back, and not what lay over the page. */
function depthOf(state: unknown): number {
  const { over } = (state ?? {}) as { over?: unknown };
  return typeof over === 'number' ? over : 0;
}

/** @param onArrive Back or Forward came to another address */
export function createPageHistory(onArrive: () => void): PageHistory {
  let address = addressNow();
  /** A step to `address` is still to be made. */
  let stepDue = false;
  /** Steps of overlays under the browser's feet; what is open may be more or less for a moment. */
  let depth = depthOf(history.state);
  /** On the way back by ourselves: the browser goes there in its own time, and nothing can be written until it is there. */
  let travelling = false;
  let overlays: Overlay[] = [];

  function travel(steps: number): void {
    travelling = true;
    history.go(-steps);
  }

  /** Brings the browser's steps in line with what is open. */
  function settle(): void {
    if (travelling) return;
    if (stepDue) {
      if (depth > 1) {
        travel(depth - 1);
        return;
      }
      stepDue = false;
      if (depth === 1) history.replaceState(null, '', address);
      else history.pushState(null, '', address);
      depth = 0;
    }
    if (depth > overlays.length) {
      travel(depth - overlays.length);
      return;
    }
    if (addressNow() !== address) history.replaceState(history.state, '', address);
    while (depth < overlays.length) {
      depth += 1;
      history.pushState({ over: depth }, '', address);
    }
  }

  function closeAll(): void {
    for (const overlay of overlays.splice(0).reverse()) overlay.close();
  }

  function onPopState({ state }: PopStateEvent): void {
    depth = depthOf(state);
    if (travelling) {
      travelling = false;
      settle();
      return;
    }
    if (addressNow() === address) for (const overlay of overlays.slice(depth).reverse()) overlay.close();
    else {
      address = addressNow();
      closeAll();
      onArrive();
    }
    // In its own time: what refuses to close, while something must not be interrupted, gets its step back.
    setTimeout(settle);
  }

  window.addEventListener('popstate', onPopState);
  settle();

  return {
    push(next) {
      closeAll();
      address = next;
      stepDue = true;
      settle();
    },
    replace(next) {
      address = next;
      settle();
    },
    open(close) {
      const overlay = { close };
      overlays.push(overlay);
      // One dialog that follows upon another takes its step.
      queueMicrotask(settle);
      return () => {
        overlays = overlays.filter((other) => other !== overlay);
        queueMicrotask(settle);
      };
    },
    stop: () => window.removeEventListener('popstate', onPopState),
  };
}
