import type { Clock } from '@cord/kit/clock';
import { clockOffsetMs } from '@cord/kit/clock-file';

/** Interval of reading the clock's offset, ms. */
const POLL_MS = 100;

/** Follows the movable clock of local mode in the data folder, where each move is written first. */
export function followDevClock(dataDir: string): Clock {
  let offsetMs = clockOffsetMs(dataDir);
  let readAtMs = performance.now();
  return {
    now() {
      if (performance.now() - readAtMs >= POLL_MS) {
        offsetMs = clockOffsetMs(dataDir);
        readAtMs = performance.now();
      }
      return Date.now() + offsetMs;
    },
    onAdvance: () => () => undefined,
  };
}
