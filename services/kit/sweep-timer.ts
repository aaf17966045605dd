import type { Clock } from './clock.js';

export interface SweepTimer {
  start(): void;
  /** No sweep begins after this; one under way is the caller's to wait for. */
  stop(): void;
}

/**
 * Sweeps again and again, each a pause after the one before has ended, and at once when the movable clock moves.
 * @param everyMs pause between two sweeps, ms of real time
 * @param sweep must not reject
 */
export function createSweepTimer(
  everyMs: number,
  clock: Pick<Clock, 'onAdvance'>,
  sweep: () => Promise<void>,
): SweepTimer {
  let timer: NodeJS.Timeout | undefined;
  let offAdvance: (() => void) | undefined;
  const next = (): void => {
    timer = setTimeout(() => void sweep().finally(() => timer && next()), everyMs);
  };
  return {
    start() {
      next();
      offAdvance = clock.onAdvance(sweep);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      offAdvance?.();
    },
  };
}
