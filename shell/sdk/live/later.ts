import { createStore } from '../store';
import type { createLive, Live, LiveDeps } from './live';

let make: typeof createLive | null = null;

/** The code of the live stream has come, with the app behind the sign-in: the landing page does without it. */
export function bringLive(create: typeof createLive): void {
  make = create;
}

/** The browser's locks, where tabs can also talk and hold a stream. */
export function browserLocks(): LockManager | null {
  const all = typeof BroadcastChannel !== 'undefined' && typeof EventSource !== 'undefined';
  return (all && navigator.locks) || null;
}

/** The page's one live stream; it is made when it is first run, and until then nothing is told and nobody leads. */
export function liveLater(deps: LiveDeps): Live {
  const open = createStore(false);
  let live: Live | null = null;
  return {
    open,
    leads: () => live?.leads() ?? deps.locks === null,
    run() {
      if (make === null) throw new Error('The code of the live stream has not been brought');
      live ??= make({ ...deps, open });
      return live.run();
    },
  };
}
