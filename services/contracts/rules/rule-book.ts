/** One step of the tier table: the multiplier from an age on. */
export interface Tier {
  /** Exact account age, in whole years of 365.25 days. */
  readonly fromYears: number;
  /** Multiplier x 100: 120 is x1.2. */
  readonly hundredths: number;
}

/** The numbers that decide what is earned, until the next book takes effect. All integers. */
export interface RuleBook {
  /** 1, 2, 3 without gaps. */
  readonly version: number;
  /** First ms in force, since epoch. */
  readonly fromMs: number;
  /** Mining per minute before any factor, nano-CORD. */
  readonly baseNano: number;
  /** By rising age; the first begins at 0. */
  readonly tiers: Tier[];
  /** Factor of the Badge of Honor x 100. */
  readonly badgeHundredths: number;
  /** Check-in reward before its streak bonus, micro-CORD. */
  readonly checkinMicro: number;
  /** Addition per streak day, and the maximum bonus, micro-CORD. */
  readonly streakStepMicro: number;
  readonly streakMostMicro: number;
  /** A referrer's share of friends' earnings, percent: promised for life, so no later book changes it. */
  readonly commissionPercent: number;
  /** Maximum base reward of a task, micro-CORD. */
  readonly taskMostMicro: number;
}

/** The numbers of a book besides its tiers, each with the decimal places of its unit: 500,000,000 nano-CORD are 0.5 CORD. */
export type BookNumber = Exclude<keyof RuleBook, 'version' | 'fromMs' | 'tiers'>;
export const BOOK_PLACES: Readonly<Record<BookNumber, number>> = {
  baseNano: 9,
  badgeHundredths: 2,
  checkinMicro: 6,
  streakStepMicro: 6,
  streakMostMicro: 6,
  taskMostMicro: 6,
  commissionPercent: 0,
};
/** Decimal places of a multiplier x 100. */
export const TIER_PLACES = 2;

/** One difference between two books: a number, or the multiplier from an age on; in the units of the book. */
type BookChange =
  | { readonly number: BookNumber; readonly before: number; readonly after: number }
  | {
      readonly fromYears: number;
      /** Null when the book has no step at this age. */
      readonly before: number | null;
      readonly after: number | null;
    };

/** Returns all differences between two books by value: numbers first, then steps by rising age. */
export function bookChanges(before: RuleBook, after: RuleBook): BookChange[] {
  const numbers = (Object.keys(BOOK_PLACES) as BookNumber[]).map((number) => {
    return { number, before: before[number], after: after[number] };
  });
  const years = [before, after].flatMap(({ tiers }) => tiers.map(({ fromYears }) => fromYears));
  const rising = [...new Set(years)].sort((one, other) => one - other);
  const stepOf = ({ tiers }: RuleBook, age: number) => tiers.find(({ fromYears }) => fromYears === age);
  const steps = rising.map((fromYears) => {
    const [was, is] = [stepOf(before, fromYears), stepOf(after, fromYears)];
    return { fromYears, before: was?.hundredths ?? null, after: is?.hundredths ?? null };
  });
  return [...numbers, ...steps].filter((change) => change.before !== change.after);
}

/** The book of a new system, in force from the beginning. */
export const FIRST_BOOK: RuleBook = {
  version: 1,
  fromMs: 0,
  baseNano: 500_000_000,
  tiers: [100, 120, 150, 200, 250, 350, 500, 700, 1000].map((hundredths, fromYears) => ({ fromYears, hundredths })),
  badgeHundredths: 105,
  checkinMicro: 50_000_000,
  streakStepMicro: 5_000_000,
  streakMostMicro: 100_000_000,
  commissionPercent: 10,
  taskMostMicro: 10_000_000_000,
};

/** The books before any change: the first one alone. */
export const FIRST_BOOKS: readonly RuleBook[] = [FIRST_BOOK];

/** Returns the book in force at a time. @param books by rising `fromMs`; the first also holds before its start */
export function bookAt(books: readonly RuleBook[], ms: number): RuleBook {
  return books.findLast(({ fromMs }) => fromMs <= ms) ?? books[0] ?? FIRST_BOOK;
}

/** The highest tier multiplier, x 100. */
export const topHundredths = ({ tiers }: RuleBook): number => Math.max(...tiers.map(({ hundredths }) => hundredths));

/** Addition of the badge to a rate, percent. */
export const badgePercent = ({ badgeHundredths }: RuleBook): number => badgeHundredths - 100;

/** Returns when the next book takes effect, ms since epoch; Infinity when none is known. */
export function bookUntilMs(books: readonly RuleBook[], ms: number): number {
  return books.find(({ fromMs }) => fromMs > ms)?.fromMs ?? Number.POSITIVE_INFINITY;
}
