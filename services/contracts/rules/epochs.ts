import type { EpochRow } from '../events/rewards.js';
import { isSameBook } from './book-texts.js';
import { DAY_MS } from './days.js';
import { bookAt, type RuleBook } from './rule-book.js';

/**
 * A table of epochs is stored by the ledger at least this long before it pays anything otherwise than the table before it, ms. No replica settles by a table
 * that it has read more than four seconds ago, and the clocks of two differ by ten seconds at the most; what is left is for the write.
 */
export const EPOCHS_AHEAD_MS = 20_000;

/**
 * A rule book is announced at least this long before it holds, ms; with a reason that users see, at least the second. And at most the third: every
 * later change has to follow it.
 */
export const RULES_AHEAD_MS = 72 * 3_600_000;
export const RULES_AHEAD_MS_LEAST = 3_600_000;
export const RULES_AHEAD_MS_MOST = 366 * DAY_MS;

/** What decides what an epoch pays, and when. */
export type EpochPay = Pick<EpochRow, 'id' | 'multiplierHundredths' | 'startAt' | 'endAt'>;

/** The epoch in force at a time; ends are exclusive. */
export function epochAt<E extends EpochPay>(epochs: readonly E[], nowMs: number): E | null {
  return epochs.find((epoch) => epoch.startAt <= nowMs && nowMs < epoch.endAt) ?? null;
}

/** What decides what is earned, and when. */
export interface PayTable {
  readonly epochs: readonly EpochPay[];
  readonly books: readonly RuleBook[];
}

/** When two tables first pay otherwise, ms since epoch; null when they never do: texts may change at any time. */
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

/** The name of an epoch without the word that texts have beside it: `Beta` of `Epoch Beta`, which an operator may have written. */
export const bareEpochName = (name: string): string => name.replace(/^epoch\s+/i, '');
