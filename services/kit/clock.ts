import { allThrough } from './batches.js';

/**
 * Time, everywhere: every expiry is decided by it, so that a test or local mode can move it.
 */
export interface Clock {
  /** ms since epoch. */
  now(): number;
  /**
   * Registers work that must run when the clock was moved: sweeps run what fell due. The clock's mover awaits it.
   * @returns a function that takes the registration back
   */
  onAdvance(run: () => Promise<void>): () => void;
  /** ms that it was moved ahead of the machine's; absent of a clock that cannot be moved. What was skipped so is no time that has passed. */
  offsetMs?(): number;
  /** Why this clock must not be trusted now (clock-watch.ts): then nothing is written. Null while it may be; absent where it is not watched. */
  wrong?(): string | null;
  /** Compares this clock with others now. @returns whether it may be trusted, and at least one of them has answered */
  confirm?(): Promise<boolean>;
}

/** A clock that can be moved forward: local mode and tests only. */
export interface MovableClock extends Clock {
  /** ms that this clock is ahead of the machine's. */
  offsetMs(): number;
  /**
   * Moves the clock to an offset and awaits everything registered by `onAdvance`.
   * @throws RangeError when it would go backward; the first error of what was registered, after all of it has run
   */
  setOffset(offsetMs: number): Promise<void>;
}

/** The machine's clock. */
export function systemClock(): Clock {
  return { now: () => Date.now(), onAdvance: () => () => undefined };
}

/**
 * A clock over another that can be moved forward.
 * @param offsetMs how far ahead it begins
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
      await allThrough([...due].map((run) => run()));
    },
  };
}
