import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { formatCord, formatMultiplier } from '@cord/ui';
import { RULES_TEXTS } from './texts';

const NANO = 1e9;
const MICRO = 1e6;
const HUNDRED = 100;

/** One number of two books. */
export interface Change {
  what: string;
  before: string;
  after: string;
}

/** CORD of an amount in micro-CORD, without needless zeros. */
export const cordOf = (micro: number): string => formatCord(micro / MICRO, { decimals: micro % MICRO === 0 ? 0 : 2 });
/** CORD a minute of nano-CORD. */
export const perMinuteOf = (nano: number): string => formatCord(nano / NANO, { decimals: 6 });

/** `From 3 years` */
export function tierName(fromYears: number): string {
  const t = RULES_TEXTS.get();
  if (fromYears === 0) return t.tierFirst;
  return fromYears === 1 ? t.tierOne : t.tier({ years: fromYears });
}

/** What a book has otherwise than the one before it, as the page shows it. */
export function changesOf(before: RuleBook, after: RuleBook): Change[] {
  const t = RULES_TEXTS.get();
  const cord = (micro: number) => t.cord({ amount: cordOf(micro) });
  const times = (hundredths: number) => formatMultiplier(hundredths / HUNDRED);
  const rows: [string, (book: RuleBook) => string][] = [
    [t.base, ({ baseNano }) => t.perMinute({ amount: perMinuteOf(baseNano) })],
    [t.badge, ({ badgeHundredths }) => times(badgeHundredths)],
    [t.checkin, ({ checkinMicro }) => cord(checkinMicro)],
    [t.streakStep, ({ streakStepMicro }) => cord(streakStepMicro)],
    [t.streakMost, ({ streakMostMicro }) => cord(streakMostMicro)],
    [t.taskMost, ({ taskMostMicro }) => cord(taskMostMicro)],
    ...yearsOf(before, after).map((years): [string, (book: RuleBook) => string] => [
      t.changeTier({ tier: tierName(years) }),
      ({ tiers }) => {
        const step = tiers.find(({ fromYears }) => fromYears === years);
        return step ? times(step.hundredths) : t.none;
      },
    ]),
  ];
  return rows
    .map(([what, of]) => ({ what, before: of(before), after: of(after) }))
    .filter((change) => change.before !== change.after);
}

/** The ages at which either has a step, rising. */
function yearsOf(...books: RuleBook[]): number[] {
  const years = books.flatMap(({ tiers }) => tiers.map(({ fromYears }) => fromYears));
  return [...new Set(years)].sort((one, other) => one - other);
}
