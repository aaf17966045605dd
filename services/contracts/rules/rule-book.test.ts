import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesText } from '../proof/rules.js';
import { type EpochPay, firstChangeMs } from './epochs.js';
import {
  BOOK_PLACES,
  type BookNumber,
  bookAt,
  bookChanges,
  bookUntilMs,
  FIRST_BOOK,
  type RuleBook,
} from './rule-book.js';

const DAY_MS = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 23);
const book = (version: number, fromMs: number, changes: Partial<RuleBook> = {}): RuleBook => ({
  ...FIRST_BOOK,
  version,
  fromMs,
  ...changes,
});
const second = book(2, MONDAY, { checkinMicro: 40_000_000 });
const third = book(3, MONDAY + DAY_MS, { checkinMicro: 60_000_000 });
const BOOKS = [FIRST_BOOK, second, third];
const epoch = (id: string, startAt: number, endAt: number): EpochPay => ({
  id,
  multiplierHundredths: 110,
  startAt,
  endAt,
});

describe('rule books', () => {
  test('apply from their first ms to the first ms of the next one', () => {
    expect([MONDAY - 1, MONDAY, MONDAY + DAY_MS - 1, MONDAY + DAY_MS].map((ms) => bookAt(BOOKS, ms).version)).toEqual([
      1, 2, 2, 3,
    ]);
    expect([0, MONDAY, MONDAY + DAY_MS].map((ms) => bookUntilMs(BOOKS, ms))).toEqual([
      MONDAY,
      MONDAY + DAY_MS,
      Number.POSITIVE_INFINITY,
    ]);
    expect(bookAt([], MONDAY)).toEqual(FIRST_BOOK);
  });

  test('differ by every number and every tier, however little', () => {
    const numbers = Object.keys(BOOK_PLACES) as BookNumber[];
    expect([...numbers, 'version', 'fromMs', 'tiers'].sort()).toEqual(Object.keys(FIRST_BOOK).sort());
    for (const number of numbers) {
      const after = FIRST_BOOK[number] + 1;
      const change = { number, before: FIRST_BOOK[number], after };
      expect(bookChanges(FIRST_BOOK, book(2, MONDAY, { [number]: after }))).toEqual([change]);
    }
    expect(bookChanges(FIRST_BOOK, book(2, MONDAY))).toEqual([]);
    const last = { fromYears: 10, hundredths: 900 };
    const tiers = [...FIRST_BOOK.tiers.slice(0, 7), { fromYears: 7, hundredths: 701 }, last];
    expect(bookChanges(FIRST_BOOK, book(2, MONDAY, { tiers }))).toEqual([
      { fromYears: 7, before: 700, after: 701 },
      { fromYears: 8, before: 1_000, after: null },
      { fromYears: 10, before: null, after: 900 },
    ]);
  });

  test('of two tables first differ at their earliest change, whether of an epoch or a book', () => {
    const any = fc
      .uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 })
      .map((times) => [
        FIRST_BOOK,
        ...times.sort((a, b) => a - b).map((fromMs, n) => book(n + 2, fromMs, { baseNano: 1_000 + n })),
      ]);
    const versions = (books: readonly RuleBook[], ms: number) => {
      const { version, fromMs, baseNano } = bookAt(books, ms);
      return `${version} ${fromMs} ${baseNano}`;
    };
    fc.assert(
      fc.property(any, any, (before, after) => {
        const due = Array.from({ length: 10 }, (_, ms) => ms).find(
          (ms) => versions(before, ms) !== versions(after, ms),
        );
        expect(firstChangeMs({ epochs: [], books: before }, { epochs: [], books: after })).toBe(due ?? null);
      }),
    );
    const epochs = [epoch('beta', 5, 9)];
    expect(firstChangeMs({ epochs, books: BOOKS }, { epochs: [], books: [FIRST_BOOK, second] })).toBe(5);
  });
});

describe('the rules text that the record of a day pins', () => {
  const epochs = [
    epoch('alpha', MONDAY - DAY_MS, MONDAY + 5 * DAY_MS),
    epoch('beta', MONDAY + 5 * DAY_MS, MONDAY + 9 * DAY_MS),
  ];
  const text = rulesText({ books: BOOKS, epochs }, '2026-11-23');

  test('contains what began by the end of the day, with a running epoch cut there', () => {
    expect(JSON.parse(text)).toEqual([
      'cord/rules/2',
      '2026-11-23',
      ...['book', '1', '0', '500000000', '105', '50000000', '5000000', '100000000', '10', '10000000000'],
      '0x100 1x120 2x150 3x200 4x250 5x350 6x500 7x700 8x1000',
      ...['book', '2', `${MONDAY}`, '500000000', '105', '40000000', '5000000', '100000000', '10', '10000000000'],
      '0x100 1x120 2x150 3x200 4x250 5x350 6x500 7x700 8x1000',
      ...['epoch', 'alpha', '110', `${MONDAY - DAY_MS}`, `${MONDAY + DAY_MS}`],
    ]);
  });

  test('is the same after any change of later rules, and another after one of past rules', () => {
    const [alpha, beta] = epochs as [EpochPay, EpochPay];
    const ended = { ...alpha, endAt: MONDAY + 2 * DAY_MS };
    expect(rulesText({ books: [FIRST_BOOK, second], epochs: [ended, beta] }, '2026-11-23')).toBe(text);
    expect(rulesText({ books: [FIRST_BOOK], epochs }, '2026-11-23')).not.toBe(text);
    expect(rulesText({ books: [FIRST_BOOK, { ...second, baseNano: 1 }], epochs }, '2026-11-23')).not.toBe(text);
    expect(rulesText({ books: BOOKS, epochs: [{ ...alpha, multiplierHundredths: 111 }] }, '2026-11-23')).not.toBe(text);
  });
});
