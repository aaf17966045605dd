/** The page's steps in the browser's history: one for each change of tab, and one for each thing that lies over the page. */
export interface PageHistory {
  /**
   * Makes a step to another address of the page; what lies over the page is closed, and its step becomes this one.
   * @param view whether a view opens within the page on screen, so that `leaveViews` leads back from it
   */
  push(address: string, view?: boolean): void;
  /**
   * Goes back to the page that views were opened in, over all of them; what lies over the page is closed.
   * @returns false where none was opened: somebody came by a link
   */
  leaveViews(): boolean;
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

/** A way back that takes longer was none, ms. */
const TRAVEL_MS_MAX = 2_000;

const addressNow = () => `${location.pathname}${location.search}${location.hash}`;

/** What a step of ours carries; a reload brings it back, and not what lay over the page. */
interface Step {
  /** How many overlays are open at this step. */
  over: number;
  /** How many views were opened one after another since the page that they lie in. */
  views: number;
}

function stepOf(state: unknown): Step {
  const { over, views } = (state ?? {}) as Record<string, unknown>;
  return { over: typeof over === 'number' ? over : 0, views: typeof views === 'number' ? views : 0 };
}

/** @param onArrive Back or Forward came to another address */
export function createPageHistory(onArrive: () => void): PageHistory {
  let address = addressNow();
  /** A step to `address` is still to be made, with so many views since its page; null while none is. */
  let stepDue: { views: number } | null = null;
  /** Steps of overlays under the browser's feet; what is open may be more or less for a moment. */
  let depth = stepOf(history.state).over;
  /** On the way back by ourselves: the browser goes there in its own time, and nothing can be written until it is there. */
  let travelling = false;
  /** On the way back to the page that views were opened in, or about to be: a browser adds up what it is to go back within milliseconds. */
  let leaving = false;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let overlays: Overlay[] = [];

  function travel(steps: number): void {
    travelling = true;
    history.go(-steps);
    clearTimeout(lost);
    // A browser that does not go, as at the end of what it keeps, shows nothing of it.
    lost = setTimeout(arrive, TRAVEL_MS_MAX);
  }

  function arrive(): void {
    if (!travelling) return;
    travelling = false;
    leaving = false;
    // Where it stands is all the way back that there is.
    depth = Math.min(stepOf(history.state).over, overlays.length);
    settle();
  }

  /** Brings the browser's steps in line with what is open. */
  function settle(): void {
    if (travelling) return;
    if (leaving) {
      const { views, over } = stepOf(history.state);
      travel(views + over);
      return;
    }
    if (stepDue !== null) {
      if (depth > 1) {
        travel(depth - 1);
        return;
      }
      const { views } = stepDue;
      stepDue = null;
      const step: Partial<Step> | null = views === 0 ? null : { views };
      if (depth === 1) history.replaceState(step, '', address);
      else history.pushState(step, '', address);
      depth = 0;
    }
    if (depth > overlays.length) {
      travel(depth - overlays.length);
      return;
    }
    if (addressNow() !== address) history.replaceState(history.state, '', address);
    while (depth < overlays.length) {
      depth += 1;
      history.pushState({ ...history.state, over: depth }, '', address);
    }
  }

  function closeAll(): void {
    for (const overlay of overlays.splice(0).reverse()) overlay.close();
  }

  function onPopState({ state }: PopStateEvent): void {
    const { over, views } = stepOf(state);
    depth = over;
    if (travelling) {
      travelling = false;
      const hasLeft = leaving && views === 0;
      if (hasLeft) leaving = false;
      if (!hasLeft || stepDue !== null) {
        settle();
        return;
      }
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
    push(next, view = false) {
      closeAll();
      address = next;
      // Two that come at once are one step: by the second its page is not below it.
      const below = leaving ? 0 : stepOf(history.state).views;
      stepDue = { views: view ? (stepDue?.views ?? below + 1) : 0 };
      settle();
    },
    leaveViews() {
      if (stepOf(history.state).views === 0) return false;
      closeAll();
      // Its steps go along: what closes by the same press takes none back once more.
      leaving = true;
      settle();
      return true;
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
    stop() {
      clearTimeout(lost);
      window.removeEventListener('popstate', onPopState);
    },
  };
}
