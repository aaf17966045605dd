import { BOOK_PLACES, type BookNumber, TIER_PLACES } from '@cord/contracts/rules/rule-book';
import { formatExact, formatMultiplier, formatPercent } from '@cord/ui';

/** Decimal places of a rate on all pages. */
const RATE_PLACES = 6;

/** Formatters of an amount with its unit. */
interface Units {
  /** CORD per minute. */
  perMinute(values: { amount: string }): string;
  cord(values: { amount: string }): string;
}

/** Formats a number of a rule book with all its digits and its unit. @param value in the unit of its name */
export function bookNumberText(number: BookNumber, value: number, { perMinute, cord }: Units): string {
  const places = BOOK_PLACES[number];
  if (number === 'baseNano') return perMinute({ amount: formatExact(value, places, RATE_PLACES) });
  if (number === 'badgeHundredths') return multiplierText(value);
  if (number === 'commissionPercent') return formatPercent(value);
  return cord({ amount: formatExact(value, places) });
}

/** Formats 105 as `×1.05`. */
export const multiplierText = (hundredths: number): string => formatMultiplier(hundredths / 10 ** TIER_PLACES);
