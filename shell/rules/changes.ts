import { type BookNumber, bookChanges, type RuleBook } from '@cord/contracts/rules/rule-book';
import { bookNumberText, multiplierText } from '@cord/sdk';
import { RULES_TEXTS } from './texts';

/** A difference between two consecutive books, as text. */
export interface Change {
  what: string;
  before: string;
  after: string;
}

/** Formats a number of a book with its unit. @param value in the unit of its name */
export function numberText(number: BookNumber, value: number): string {
  const t = RULES_TEXTS.get();
  return bookNumberText(number, value, { perMinute: t.perMinute, cord: t.cord });
}

/** Formats `From 3 years`. */
export function tierName(fromYears: number): string {
  const t = RULES_TEXTS.get();
  if (fromYears === 0) return t.tierFirst;
  return fromYears === 1 ? t.tierOne : t.tier({ years: fromYears });
}

/** Returns the differences between two consecutive books, one per line. */
export function changesOf(before: RuleBook, after: RuleBook): Change[] {
  const t = RULES_TEXTS.get();
  const names: Record<BookNumber, string> = {
    baseNano: t.base,
    badgeHundredths: t.badge,
    checkinMicro: t.checkin,
    streakStepMicro: t.streakStep,
    streakMostMicro: t.streakMost,
    taskMostMicro: t.taskMost,
    commissionPercent: t.commission,
  };
  return bookChanges(before, after).map((change) => {
    if ('number' in change) {
      const { number } = change;
      const shown = (value: number) => numberText(number, value);
      return { what: names[number], before: shown(change.before), after: shown(change.after) };
    }
    const step = (hundredths: number | null) => (hundredths === null ? t.none : multiplierText(hundredths));
    const what = t.changeTier({ tier: tierName(change.fromYears) });
    return { what, before: step(change.before), after: step(change.after) };
  });
}
