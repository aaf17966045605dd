import { BOOK_PLACES, type BookNumber, bookChanges, type RuleBook, TIER_PLACES } from '@cord/contracts/rules/rule-book';
import { formatExact, formatMultiplier, formatPercent } from '@cord/ui';
import { RULES_TEXTS } from './texts';

/** Places of a rate on all pages. */
const RATE_PLACES = 6;

/** What one book has otherwise than the one before it, in words. */
export interface Change {
  what: string;
  before: string;
  after: string;
}

/** A number of a book with its unit, all digits of it. @param value in the unit that the name says */
export function numberText(number: BookNumber, value: number): string {
  const t = RULES_TEXTS.get();
  const places = BOOK_PLACES[number];
  if (number === 'baseNano') return t.perMinute({ amount: formatExact(value, places, RATE_PLACES) });
  if (number === 'badgeHundredths') return multiplierText(value);
  if (number === 'commissionPercent') return formatPercent(value);
  return t.cord({ amount: formatExact(value, places) });
}

/** `×1.05` of 105 */
export const multiplierText = (hundredths: number): string => formatMultiplier(hundredths / 10 ** TIER_PLACES);

/** `From 3 years` */
export function tierName(fromYears: number): string {
  const t = RULES_TEXTS.get();
  if (fromYears === 0) return t.tierFirst;
  return fromYears === 1 ? t.tierOne : t.tier({ years: fromYears });
}

/** What a book has otherwise than the one before it, a line each. */
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
      const said = (value: number) => numberText(number, value);
      return { what: names[number], before: said(change.before), after: said(change.after) };
    }
    const step = (hundredths: number | null) => (hundredths === null ? t.none : multiplierText(hundredths));
    const what = t.changeTier({ tier: tierName(change.fromYears) });
    return { what, before: step(change.before), after: step(change.after) };
  });
}
