import type { RuleChanges } from '@cord/contracts/http/rules';
import {
  BOOK_PLACES,
  type BookNumber,
  bookChanges,
  type RuleBook,
  TIER_PLACES,
  type Tier,
} from '@cord/contracts/rules/rule-book';
import { bookNumberText, multiplierText, type TextsOf } from '@cord/sdk';
import type { Change } from '../room/confirm-panel';
import { decimalOf, integerOf } from '../room/typed-numbers';
import type { TEXTS } from './texts';

type Texts = TextsOf<typeof TEXTS>;

/** The numbers that a change may set. The commission is promised for life, so it is not one of them. */
export type NumberField = Exclude<BookNumber, 'commissionPercent'>;
const isField = (number: BookNumber): number is NumberField => number !== 'commissionPercent';
const NUMBERS = Object.keys(BOOK_PLACES) as BookNumber[];
export const NUMBER_FIELDS = NUMBERS.filter(isField);

export type RulesField = NumberField | 'tiers';
/** The typed texts of the number fields. */
export type Typed = Record<RulesField, string>;

const stepsText = (tiers: readonly Tier[]) =>
  tiers.map(({ fromYears, hundredths }) => `${fromYears}: ${decimalOf(hundredths, TIER_PLACES)}`).join('; ');

function stepsOf(typed: string): Tier[] | null {
  const steps = typed.split(';').map((step) => {
    const [, years, multiplier = ''] = /^\s*(\d{1,2})\s*:(.*)$/.exec(step) ?? [];
    const hundredths = integerOf(multiplier, TIER_PLACES);
    return years === undefined || hundredths === null ? null : { fromYears: Number(years), hundredths };
  });
  return steps.includes(null) ? null : (steps as Tier[]);
}

/** The numbers of a rule book as field texts. */
export function typedOf(book: RuleBook): Typed {
  const numbers = NUMBER_FIELDS.map((field) => [field, decimalOf(book[field], BOOK_PLACES[field])]);
  return { ...Object.fromEntries(numbers), tiers: stepsText(book.tiers) };
}

/** The fields that differ from the previous rule book, and those that do not hold a number. */
export function readTyped(typed: Typed, last: RuleBook): { changes: RuleChanges; wrong: RulesField[] } {
  const tiers = stepsOf(typed.tiers);
  const read = NUMBER_FIELDS.map((field) => ({ field, value: integerOf(typed[field], BOOK_PLACES[field]) }));
  const changed = read.flatMap(({ field, value }) => (value === null || value === last[field] ? [] : [[field, value]]));
  const changes: RuleChanges = Object.fromEntries(changed);
  if (tiers !== null && stepsText(tiers) !== stepsText(last.tiers)) changes.tiers = tiers;
  const wrong: RulesField[] = read.flatMap(({ field, value }) => (value === null ? [field] : []));
  return { changes, wrong: tiers ? wrong : [...wrong, 'tiers'] };
}

/** Applies a change to the last rule book. */
export function bookWith(last: RuleBook, changes: RuleChanges): RuleBook {
  return { ...last, ...(changes as Partial<RuleBook>) };
}

const numberText = (number: BookNumber, value: number, t: Texts) =>
  bookNumberText(number, value, { perMinute: t.perMinute, cord: t.cord });

/** All numbers of a rule book, with their names. */
export function factsOf(book: RuleBook, t: Texts): (readonly [string, string])[] {
  const steps = book.tiers.map(
    ({ fromYears, hundredths }) => [t.step({ count: fromYears }), multiplierText(hundredths)] as const,
  );
  const shown = (number: BookNumber) => [t[`number.${number}`], numberText(number, book[number], t)] as const;
  return [...NUMBER_FIELDS.map(shown), ...steps, shown('commissionPercent')];
}

/** The new values of a change, without the old ones. */
export function valuesOf({ tiers = [], ...numbers }: RuleChanges, t: Texts): string[] {
  const changed = NUMBER_FIELDS.flatMap((field) => {
    const value = numbers[field];
    return value === undefined ? [] : `${t[`number.${field}`]} ${numberText(field, value, t)}`;
  });
  return [
    ...changed,
    ...tiers.map((tier) => `${t.step({ count: tier.fromYears })} ${multiplierText(tier.hundredths)}`),
  ];
}

/** A line for each number in which a rule book differs from the one before it. */
export function changesOf(before: RuleBook, after: RuleBook, t: Texts): (Change & { before: string })[] {
  return bookChanges(before, after).map((change) => {
    const textOf = (value: number | null) => {
      if (value === null) return t.none;
      return 'number' in change ? numberText(change.number, value, t) : multiplierText(value);
    };
    const what = 'number' in change ? t[`number.${change.number}`] : t.step({ count: change.fromYears });
    return { what, before: textOf(change.before), after: textOf(change.after) };
  });
}
