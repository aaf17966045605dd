/** One step of the tier table: from this age on, this multiplier. */
export interface Tier {
  /** Exact account age, in whole years of 365.25 days. */
  readonly fromYears: number;
  /** Multiplier x 100: 120 is x1.2. */
  readonly hundredths: number;
}

/** The numbers that decide what is earned, from one time to the next book's. All integers. */
export interface RuleBook {
  /** 1, 2, 3 without gaps. */
  readonly version: number;
  /** First ms at which it holds, since epoch. */
  readonly fromMs: number;
  /** What a node mines in a minute before any factor, nano-CORD. */
  readonly baseNano: number;
  /** By rising age; the first begins at 0. */
  readonly tiers: Tier[];
  /** Factor of the Badge of Honor x 100. */
  readonly badgeHundredths: number;
  /** A check-in before its streak bonus, micro-CORD. */
  readonly checkinMicro: number;
  /** What each day of a streak adds, and the bonus at most, micro-CORD. */
  readonly streakStepMicro: number;
  readonly streakMostMicro: number;
  /** A referrer's share of what friends earn, percent: promised for life, so that no later book has another one. */
  readonly commissionPercent: number;
  /** Base reward of a task at most, micro-CORD. */
  readonly taskMostMicro: number;
}

/** The book of a new system, from the beginning of time on. */
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

/** Where nobody has changed anything: the first book alone. */
export const FIRST_BOOKS: readonly RuleBook[] = [FIRST_BOOK];

/** The book in force at a time. @param books by rising `fromMs`; the first holds before it, too */
export function bookAt(books: readonly RuleBook[], ms: number): RuleBook {
  return books.findLast(({ fromMs }) => fromMs <= ms) ?? books[0] ?? FIRST_BOOK;
}

/** When another book follows the one of a time, ms since epoch; Infinity where none is known. */
export function bookUntilMs(books: readonly RuleBook[], ms: number): number {
  return books.find(({ fromMs }) => fromMs > ms)?.fromMs ?? Number.POSITIVE_INFINITY;
}

/** What two books have of the ledger's numbers is the same. */
export function isSameBook(one: RuleBook, other: RuleBook): boolean {
  return bookTexts(one).join() === bookTexts(other).join();
}

/** A book as texts, in one order: what is hashed and compared of it. */
export function bookTexts(book: RuleBook): string[] {
  const { version, fromMs, baseNano, tiers, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro } = book;
  const numbers = [version, fromMs, baseNano, badgeHundredths, checkinMicro, streakStepMicro, streakMostMicro];
  const steps = tiers.map(({ fromYears, hundredths }) => `${fromYears}x${hundredths}`);
  return [...[...numbers, book.commissionPercent, book.taskMostMicro].map(String), steps.join(' ')];
}
