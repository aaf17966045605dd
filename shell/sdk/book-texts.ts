import { BOOK_PLACES, type BookNumber, TIER_PLACES } from '@cord/contracts/rules/rule-book';
import { formatExact, formatMultiplier, formatPercent } from '@cord/ui';

/** Places of a rate on all pages. */
const RATE_PLACES = 6;

/** How a page writes an amount with its unit. */
interface Units {
  /** CORD a minute. */
  perMinute(values: { amount: string }): string;
  cord(values: { amount: string }): string;
}

/** A number of a rule book with its unit, all digits of it. @param value in the unit that the name has */
export function bookNumberText(number: BookNumber, value: number, { perMinute, cord }: Units): string {
  const places = BOOK_PLACES[number];
  if (number === 'baseNano') return perMinute({ amount: formatExact(value, places, RATE_PLACES) });
  if (number === 'badgeHundredths') return multiplierText(value);
  if (number === 'commissionPercent') return formatPercent(value);
  return cord({ amount: formatExact(value, places) });
}

/** `×1.05` of 105 */
export const multiplierText = (hundredths: number): string => formatMultiplier(hundredths / 10 ** TIER_PLACES);
