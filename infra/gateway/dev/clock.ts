import type { Clock } from '@cord/kit/clock';
import { loadDevClock } from '@cord/kit/dev-clock';

/** How soon it is seen that the clock was moved, ms. */
const LOOK_EVERY_MS = 100;

/** The movable clock of local mode, as the data folder has it: whoever moves it writes it there first. */
export function followDevClock(dataDir: string): Clock {
  let clock = loadDevClock(dataDir);
  let readAtMs = performance.now();
  return {
    now() {
      if (performance.now() - readAtMs >= LOOK_EVERY_MS) {
        clock = loadDevClock(dataDir);
        readAtMs = performance.now();
      }
      return clock.now();
    },
    onAdvance: () => () => undefined,
  };
}
