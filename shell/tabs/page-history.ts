/** The page's entries in the browser history: one per tab change and one per overlay. */
export interface PageHistory {
  /**
   * Adds an entry for another address; overlays close, and their entry is reused.
   * @param view whether a view opens within the page, so that `leaveViews` can return from it
   */
  push(address: string, view?: boolean): void;
  /**
   * Returns over all views to the page they were opened in; overlays close.
   * @returns false when none was opened, as after a link
   */
  leaveViews(): boolean;
  /** Changes the address without a new entry. */
  replace(address: string): void;
  /** Registers an overlay that Back closes. @returns a function to call once it is closed, in whatever way */
  open(close: () => void): () => void;
  /** Stops listening to Back and Forward. */
  stop(): void;
}

interface Overlay {
  close(): void;
}

/** Maximum time for the browser to go back, ms. */
const TRAVEL_MS_MAX = 2_000;

const addressNow = () => `${location.pathname}${location.search}${location.hash}`;

/** State of an entry; a reload restores it, but not the overlays. */
interface Step {
  /** Number of overlays open at this entry. */
  over: number;
  /** Number of views opened one after another since their page. */
  views: number;
}

function stepOf(state: unknown): Step {
  const { over, views } = (state ?? {}) as Record<string, unknown>;
  return { over: typeof over === 'number' ? over : 0, views: typeof views === 'number' ? views : 0 };
}

/** @param onArrive called when Back or Forward reach another address */
export function createPageHistory(onArrive: () => void): PageHistory {
  let address = addressNow();
  /** Pending entry for `address` with its number of views; null when none. */
  let stepDue: { views: number } | null = null;
  /** Number of overlay entries in the browser; the open overlays may differ for a moment. */
  let depth = stepOf(history.state).over;
  /** True during a call of history.go: the browser navigates asynchronously, and nothing can be written until it arrives. */
  let travelling = false;
  /** Returning to the page of the views, or about to; browsers add up steps requested within milliseconds. */
  let leaving = false;
  let lost: ReturnType<typeof setTimeout> | undefined;
  let overlays: Overlay[] = [];

  function travel(steps: number): void {
    travelling = true;
    history.go(-steps);
    clearTimeout(lost);
    // A browser that cannot go back, as at the end of its history, sends no event.
    lost = setTimeout(arrive, TRAVEL_MS_MAX);
  }

  function arrive(): void {
    if (!travelling) return;
    travelling = false;
    leaving = false;
    // The reached entry is as far back as possible.
    depth = Math.min(stepOf(history.state).over, overlays.length);
    settle();
  }

  /** Aligns the browser's entries with the open overlays. */
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
    // Asynchronous: an overlay that refuses to close, to protect an operation, gets its entry back.
    setTimeout(settle);
  }

  window.addEventListener('popstate', onPopState);
  settle();

  return {
    push(next, view = false) {
      closeAll();
      address = next;
      // Two pushes at once make one entry; for the second the page is not yet below.
      const below = leaving ? 0 : stepOf(history.state).views;
      stepDue = { views: view ? (stepDue?.views ?? below + 1) : 0 };
      settle();
    },
    leaveViews() {
      if (stepOf(history.state).views === 0) return false;
      closeAll();
      // Includes the entries of overlays, so that what closes by the same press removes none again.
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
      // A dialog that replaces another one reuses its entry.
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
