import type { RuleChanges } from '@cord/contracts/http/rules';
import type { RuleBook, Tier } from '@cord/contracts/rules/rule-book';
import type { TextsOf } from '@cord/sdk';
import { formatCord, formatMultiplier, formatRate } from '@cord/ui';
import type { Change } from '../room/confirm-panel';
import type { TEXTS } from './texts';

type Words = TextsOf<typeof TEXTS>;

/** Decimals of each number in CORD, or as a factor: a book has it as an integer of the smallest unit. */
const DECIMALS = {
  baseNano: 9,
  badgeHundredths: 2,
  checkinMicro: 6,
  streakStepMicro: 6,
  streakMostMicro: 6,
  taskMostMicro: 6,
} as const;
const TIER_DECIMALS = 2;
/** Decimals of a rate on all pages, and what of a nano-CORD they leave out. */
const RATE_STEP_NANO = 1_000;

export type NumberField = keyof typeof DECIMALS;
export const NUMBER_FIELDS = Object.keys(DECIMALS) as NumberField[];
export type RulesField = NumberField | 'tiers';
/** What is typed into the fields of the numbers. */
export type Typed = Record<RulesField, string>;

/** An integer as a decimal, without needless zeros: 50,500,000 micro-CORD are `50.5`. */
export function decimalOf(value: number, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  const rest = digits.slice(-decimals).replace(/0+$/, '');
  return digits.slice(0, -decimals) + (rest && `.${rest}`);
}

/** The integer of a typed decimal; null for what is none, has more decimals, or may be meant in thousands (`10,000`). */
export function integerOf(typed: string, decimals: number): number | null {
  const text = typed.trim();
  const [, whole, rest = ''] = /^(\d{1,5})(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole === undefined || rest.length > decimals || /^[1-9]\d{0,2},\d{3}$/.test(text)) return null;
  return Number(whole + rest.padEnd(decimals, '0'));
}

const stepsText = (tiers: readonly Tier[]) =>
  tiers.map(({ fromYears, hundredths }) => `${fromYears}: ${decimalOf(hundredths, TIER_DECIMALS)}`).join('; ');

function stepsOf(typed: string): Tier[] | null {
  const steps = typed.split(';').map((step) => {
    const [, years, multiplier = ''] = /^\s*(\d{1,2})\s*:(.*)$/.exec(step) ?? [];
    const hundredths = integerOf(multiplier, TIER_DECIMALS);
    return years === undefined || hundredths === null ? null : { fromYears: Number(years), hundredths };
  });
  return steps.includes(null) ? null : (steps as Tier[]);
}

/** The numbers of a book as its fields show them. */
export function typedOf(book: RuleBook): Typed {
  const numbers = NUMBER_FIELDS.map((field) => [field, decimalOf(book[field], DECIMALS[field])]);
  return { ...Object.fromEntries(numbers), tiers: stepsText(book.tiers) };
}

/** What the fields have otherwise than the book that the change follows, and which of them hold no number. */
export function readTyped(typed: Typed, last: RuleBook): { changes: RuleChanges; wrong: RulesField[] } {
  const tiers = stepsOf(typed.tiers);
  const read = NUMBER_FIELDS.map((field) => ({ field, value: integerOf(typed[field], DECIMALS[field]) }));
  const changed = read.flatMap(({ field, value }) => (value === null || value === last[field] ? [] : [[field, value]]));
  const changes: RuleChanges = Object.fromEntries(changed);
  if (tiers !== null && stepsText(tiers) !== stepsText(last.tiers)) changes.tiers = tiers;
  const wrong: RulesField[] = read.flatMap(({ field, value }) => (value === null ? [field] : []));
  return { changes, wrong: tiers ? wrong : [...wrong, 'tiers'] };
}

/** The book that a change makes of the last one. */
export function bookWith(last: RuleBook, changes: RuleChanges): RuleBook {
  return { ...last, ...(changes as Partial<RuleBook>) };
}

/** Every number of a book with its unit, all digits of it. */
export function factsOf(book: RuleBook, t: Words): (readonly [string, string])[] {
  const shown = (field: NumberField): string => {
    const value = book[field];
    if (field === 'badgeHundredths') return formatMultiplier(value / 100);
    if (field !== 'baseNano') {
      const decimals = decimalOf(value, DECIMALS[field]).split('.')[1]?.length ?? 0;
      return t.cord({ amount: formatCord(BigInt(value), { decimals }) });
    }
    const exact = decimalOf(value, DECIMALS[field]);
    return t.perMinute({ amount: value % RATE_STEP_NANO === 0 ? formatRate(Number(exact)) : exact });
  };
  const steps = book.tiers.map(
    ({ fromYears, hundredths }) => [t.step({ count: fromYears }), formatMultiplier(hundredths / 100)] as const,
  );
  return [...NUMBER_FIELDS.map((field) => [t[`number.${field}`], shown(field)] as const), ...steps];
}

/** A line for each number that a book has otherwise than the one before it. */
export function changesOf(before: RuleBook, after: RuleBook, t: Words): (Change & { before: string })[] {
  const [was, is] = [new Map(factsOf(before, t)), new Map(factsOf(after, t))];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((what) => ({ what, before: was.get(what) ?? t.none, after: is.get(what) ?? t.none }))
    .filter((change) => change.before !== change.after);
}
