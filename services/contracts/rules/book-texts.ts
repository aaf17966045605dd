import type { RuleBook } from './rule-book.js';

/* Apart from rule-book.ts, which the first screen has: it compares and hashes no books. */

/** A book as texts, in one order: what is hashed and compared of it. */
export function bookTexts(book: RuleBook): string[] {
  const { version, fromMs, baseNano, tiers, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro } = book;
  const numbers = [version, fromMs, baseNano, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro];
  const steps = tiers.map(({ fromYears, hundredths }) => `${fromYears}x${hundredths}`);
  return [...[...numbers, book.commissionPercent, book.taskMostMicro].map(String), steps.join(' ')];
}

/** What two books have of the ledger's numbers is the same. */
export function isSameBook(one: RuleBook, other: RuleBook): boolean {
  return bookTexts(one).join() === bookTexts(other).join();
}
