import type { Clock } from '@cord/kit/clock';
import { clockOffsetMs } from '@cord/kit/clock-file';

/** How soon it is seen that the clock was moved, ms. */
const LOOK_EVERY_MS = 100;

/** The movable clock of local mode, as the data folder has it: whoever moves it writes it there first. */
export function followDevClock(dataDir: string): Clock {
  let offsetMs = clockOffsetMs(dataDir);
  let readAtMs = performance.now();
  return {
    now() {
      if (performance.now() - readAtMs >= LOOK_EVERY_MS) {
        offsetMs = clockOffsetMs(dataDir);
        readAtMs = performance.now();
      }
      return Date.now() + offsetMs;
    },
    onAdvance: () => () => undefined,
  };
}
