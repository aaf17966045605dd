import type { RuleBook } from './rule-book.js';

/* Separate from rule-book.ts, which the first screen loads: that needs no comparing or hashing of books. */

/** A book as texts in a fixed order, for hashing and comparing. */
export function bookTexts(book: RuleBook): string[] {
  const { version, fromMs, baseNano, tiers, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro } = book;
  const numbers = [version, fromMs, baseNano, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro];
  const steps = tiers.map(({ fromYears, hundredths }) => `${fromYears}x${hundredths}`);
  return [...[...numbers, book.commissionPercent, book.taskMostMicro].map(String), steps.join(' ')];
}

/** Whether two books have the same numbers. */
export function isSameBook(one: RuleBook, other: RuleBook): boolean {
  return bookTexts(one).join() === bookTexts(other).join();
}
