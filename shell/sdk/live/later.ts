import { signedInCode } from '../signed-in-code';
import { createStore } from '../store';
import type { Live, LiveDeps } from './live';

/** Returns the browser's locks, or null when tabs cannot share a channel or hold a stream. */
export function browserLocks(): LockManager | null {
  const all = typeof BroadcastChannel !== 'undefined' && typeof EventSource !== 'undefined';
  return (all && navigator.locks) || null;
}

/** The page's live stream, created when it first runs. Before that it is closed and no tab leads. */
export function liveLater(deps: LiveDeps): Live {
  const open = createStore(false);
  let live: Live | null = null;
  return {
    open,
    leads: () => live?.leads() ?? deps.locks === null,
    run() {
      live ??= signedInCode().createLive({ ...deps, open });
      return live.run();
    },
  };
}
