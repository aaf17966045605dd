import type { EpochRow } from '../events/rewards.js';

/**
 * A table of epochs is stored by the ledger at least this long before it pays anything otherwise than the table before it, ms. No replica settles by a table
 * that it has read more than four seconds ago; what is left is for the write.
 */
export const EPOCHS_AHEAD_MS = 10_000;

/** What decides what an epoch pays, and when. */
export type EpochPay = Pick<EpochRow, 'id' | 'multiplierHundredths' | 'startAt' | 'endAt'>;

/** The epoch in force at a time; ends are exclusive. */
export function epochAt<E extends EpochPay>(epochs: readonly E[], nowMs: number): E | null {
  return epochs.find((epoch) => epoch.startAt <= nowMs && nowMs < epoch.endAt) ?? null;
}

/** When two tables first pay otherwise, ms since epoch; null when they never do: texts may change at any time. */
export function firstChangeMs(before: readonly EpochPay[], after: readonly EpochPay[]): number | null {
  const boundaries = [...before, ...after].flatMap(({ startAt, endAt }) => [startAt, endAt]).sort((a, b) => a - b);
  const differs = (atMs: number): boolean => {
    const [was, is] = [epochAt(before, atMs), epochAt(after, atMs)];
    return was?.id !== is?.id || was?.multiplierHundredths !== is?.multiplierHundredths;
  };
  return boundaries.find(differs) ?? null;
}
