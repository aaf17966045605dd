import type { EpochRow } from '../events/rewards.js';
import { isSameBook } from './book-texts.js';
import { DAY_MS } from './days.js';
import { bookAt, type RuleBook } from './rule-book.js';

/**
 * The ledger stores a table of epochs at least this long before its first payment differs from the previous table, ms. No replica settles
 * by a table read more than four seconds ago, and two clocks differ by at most ten seconds; the rest is for the write.
 */
export const EPOCHS_AHEAD_MS = 20_000;

/**
 * Minimum lead time of a rule book's announcement, ms; the second applies with a reason shown to users. The third is the maximum:
 * every later change must follow it.
 */
export const RULES_AHEAD_MS = 72 * 3_600_000;
export const RULES_AHEAD_MS_LEAST = 3_600_000;
export const RULES_AHEAD_MS_MOST = 366 * DAY_MS;

/** The fields that decide what an epoch pays, and when. */
export type EpochPay = Pick<EpochRow, 'id' | 'multiplierHundredths' | 'startAt' | 'endAt'>;

/** Returns the epoch in force at a time; ends are exclusive. */
export function epochAt<E extends EpochPay>(epochs: readonly E[], nowMs: number): E | null {
  return epochs.find((epoch) => epoch.startAt <= nowMs && nowMs < epoch.endAt) ?? null;
}

/** The tables that decide what is earned, and when. */
export interface PayTable {
  readonly epochs: readonly EpochPay[];
  readonly books: readonly RuleBook[];
}

/** Returns when two tables first pay differently, ms since epoch; null when they never do. Texts may change at any time. */
export function firstChangeMs(before: PayTable, after: PayTable): number | null {
  const turns = [before, after].flatMap(({ epochs, books }) => [
    ...epochs.flatMap(({ startAt, endAt }) => [startAt, endAt]),
    ...books.map(({ fromMs }) => fromMs),
  ]);
  const differs = (atMs: number): boolean => {
    const [was, is] = [epochAt(before.epochs, atMs), epochAt(after.epochs, atMs)];
    if (was?.id !== is?.id || was?.multiplierHundredths !== is?.multiplierHundredths) return true;
    return !isSameBook(bookAt(before.books, atMs), bookAt(after.books, atMs));
  };
  return turns.sort((a, b) => a - b).find(differs) ?? null;
}

/** Strips the word "Epoch" that an operator may have put in front of a name: `Beta` for `Epoch Beta`. Texts add it themselves. */
export const bareEpochName = (name: string): string => name.replace(/^epoch\s+/i, '');
