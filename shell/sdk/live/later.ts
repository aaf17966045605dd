import { signedInCode } from '../signed-in-code';
import { createStore } from '../store';
import type { Live, LiveDeps } from './live';

/** The browser's locks, where tabs can also reach each other and hold a stream. */
export function browserLocks(): LockManager | null {
  const all = typeof BroadcastChannel !== 'undefined' && typeof EventSource !== 'undefined';
  return (all && navigator.locks) || null;
}

/** The page's one live stream; it is made when it is first run, and until then nothing comes and no tab leads. */
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
