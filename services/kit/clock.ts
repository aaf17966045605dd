import { awaitAll } from './batches.js';

/** The time source of everything: every expiry uses it, so that tests and local mode can move it. */
export interface Clock {
  /** ms since epoch. */
  now(): number;
  /**
   * Registers work to run after the clock was moved, such as sweeps of due items. Moving the clock awaits it.
   * @returns a function that removes the registration
   */
  onAdvance(run: () => Promise<void>): () => void;
  /** Offset ahead of the machine's clock, ms; absent for a clock that cannot be moved. Skipped time has not really passed. */
  offsetMs?(): number;
  /** Why this clock must not be trusted (clock-watch.ts): nothing is written then. Null while trusted; absent when not watched. */
  wrong?(): string | null;
  /** Compares this clock with others now. @returns whether it may be trusted and at least one of them has responded */
  confirm?(): Promise<boolean>;
}

/** A clock that can be moved forward: local mode and tests only. */
export interface MovableClock extends Clock {
  /** Offset ahead of the machine's clock, ms. */
  offsetMs(): number;
  /**
   * Moves the clock to an offset and awaits everything registered by `onAdvance`.
   * @throws RangeError when it would move backward; the first error of the registered work, after all of it has
   * run
   */
  setOffset(offsetMs: number): Promise<void>;
}

/** The machine's clock. */
export function systemClock(): Clock {
  return { now: () => Date.now(), onAdvance: () => () => undefined };
}

/**
 * Creates a clock over another that can be moved forward.
 * @param offsetMs initial offset
 */
export function createMovableClock(base: { now(): number }, offsetMs = 0): MovableClock {
  const due = new Set<() => Promise<void>>();
  let aheadMs = offsetMs;
  return {
    now: () => base.now() + aheadMs,
    offsetMs: () => aheadMs,
    onAdvance(run) {
      due.add(run);
      return () => due.delete(run);
    },
    async setOffset(toMs) {
      if (!(toMs >= aheadMs)) throw new RangeError('the clock only goes forward');
      aheadMs = toMs;
      await awaitAll([...due].map((run) => run()));
    },
  };
}
