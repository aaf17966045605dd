import { bookTexts } from '../rules/book-texts.js';
import { DAY_MS } from '../rules/days.js';
import { type EpochPay, epochAt } from '../rules/epochs.js';
import { rateNano as rateOf } from '../rules/rate.js';
import { bookAt, type RuleBook } from '../rules/rule-book.js';
import type { ChainEntry } from './chain.js';

const KIND = 'cord/rules/2';
const BOOK_TEXTS = 10;
const PLAIN_HUNDREDTHS = 100;
const WHOLE = /^(0|[1-9]\d{0,15})$/;
const TIERS = /^(0|[1-9]\d{0,15})x(0|[1-9]\d{0,15})( (0|[1-9]\d{0,15})x(0|[1-9]\d{0,15}))*$/;

/** The published rules: books by rising `fromMs`, epochs by rising `startAt`. */
export interface PublishedRules {
  readonly books: readonly RuleBook[];
  readonly epochs: readonly EpochPay[];
}

/**
 * Returns the rules up to the end of a UTC day, as the day record pins them: the JSON of a list of strings. Rules that begin later are
 * omitted, and a running epoch is cut at the end of the day, so no later change of the table alters the text of a past day.
 * @param day `2026-11-26`
 */
export function rulesText({ books, epochs }: PublishedRules, day: string): string {
  const endMs = endOfDay(day);
  const held = books.filter(({ fromMs }) => fromMs < endMs).flatMap((book) => ['book', ...bookTexts(book)]);
  const begun = epochs
    .filter(({ startAt }) => startAt < endMs)
    .flatMap(({ id, multiplierHundredths, startAt, endAt }) => {
      const times = [startAt, Math.min(endAt, endMs)].map(String);
      return ['epoch', id, String(multiplierHundredths), ...times];
    });
  return JSON.stringify([KIND, day, ...held, ...begun]);
}

/** Returns the first ms after a UTC day. @param day `2026-11-26` */
export const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS;

/** Parses the rules. @returns null for a text that is not exactly the rules of that day */
export function readRules(text: string, day: string): PublishedRules | null {
  const list = listOf(text);
  if (list === null) return null;
  const rules = { books: [] as RuleBook[], epochs: [] as EpochPay[] };
  for (let at = 2; at < list.length; ) {
    const isBook = list[at] === 'book';
    const taken = list.slice(at + 1, at + 1 + (isBook ? BOOK_TEXTS : 4));
    const numbers = isBook ? taken.slice(0, BOOK_TEXTS - 1) : taken.slice(1);
    if (!numbers.every((text) => WHOLE.test(text)) || (isBook && !TIERS.test(taken.at(-1) ?? ''))) return null;
    if (isBook) rules.books.push(bookOf(taken));
    else rules.epochs.push(epochOf(taken));
    at += 1 + taken.length;
  }
  return rules.books.length > 0 && rulesText(rules, day) === text ? rules : null;
}

function listOf(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === 'string') ? list : null;
  } catch {
    return null;
  }
}

function bookOf(texts: readonly string[]): RuleBook {
  const numbers = texts.slice(0, BOOK_TEXTS - 1).map(Number);
  const [version = 0, fromMs = 0, baseNano = 0, badgeHundredths = 0, checkinMicro = 0, ...rest] = numbers;
  const [streakStepMicro = 0, streakMostMicro = 0, commissionPercent = 0, taskMostMicro = 0] = rest;
  const tiers = (texts[BOOK_TEXTS - 1] ?? '').split(' ').map((step) => {
    const [fromYears = 0, hundredths = 0] = step.split('x').map(Number);
    return { fromYears, hundredths };
  });
  const others = { streakStepMicro, streakMostMicro, commissionPercent, taskMostMicro, tiers };
  return { version, fromMs, baseNano, badgeHundredths, checkinMicro, ...others };
}

function epochOf([id = '', ...numbers]: readonly string[]): EpochPay {
  const [multiplierHundredths = 0, startAt = 0, endAt = 0] = numbers.map(Number);
  return { id, multiplierHundredths, startAt, endAt };
}

/**
 * Finds mining entries that no rule allows. For an entry with facts, some age, badge and whole percentage of the network check must yield
 * its rate, by the book and epoch at its first and its last ms. Entries after the day, and those dated later (to the first ms of a day),
 * are skipped: their time is not known to the ms.
 */
export function rateFaults(rules: PublishedRules, day: string): (entry: ChainEntry) => string | null {
  const endMs = endOfDay(day);
  const known = new Map<string, boolean>();
  const isAllowed = (rateNano: bigint, atMs: number): boolean => {
    const book = bookAt(rules.books, atMs);
    const epochHundredths = epochAt(rules.epochs, atMs)?.multiplierHundredths ?? PLAIN_HUNDREDTHS;
    const key = `${book.version} ${epochHundredths} ${rateNano}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const allowed = isRateOf(book, epochHundredths, rateNano);
    known.set(key, allowed);
    return allowed;
  };
  return ({ facts, at }) => {
    const [rate, length] = facts.split(' ');
    const [atMs, ms] = [Number(at), Number(length)];
    if (facts === '' || atMs >= endMs || atMs % DAY_MS === 0 || ms < 1) return null;
    const rateNano = BigInt(rate ?? '');
    // The mining ended at this ms or right after it.
    const [firstMs, lastMs] = ms === 1 ? [atMs - 1, atMs] : [atMs + 1 - ms, atMs - 1];
    const holds =
      ms === 1
        ? isAllowed(rateNano, firstMs) || isAllowed(rateNano, lastMs)
        : isAllowed(rateNano, firstMs) && isAllowed(rateNano, lastMs);
    return holds ? null : `its rate ${rate} is none that the rules of its time allow`;
  };
}

/** Whether some age, badge and network check yield the rate, by a book in an epoch. */
function isRateOf(book: RuleBook, epochHundredths: number, rateNano: bigint): boolean {
  for (const { hundredths } of book.tiers)
    for (const badge of [false, true]) {
      const factors = { tierHundredths: BigInt(hundredths), badge, epochHundredths: BigInt(epochHundredths) };
      const at = (percent: bigint) => rateOf(book, { ...factors, antiCheatHundredths: percent });
      // The rate rises with the percentage: binary search for the lowest one that reaches it.
      let [low, high] = [1n, 100n];
      while (low < high) {
        const middle = (low + high) / 2n;
        if (at(middle) < rateNano) low = middle + 1n;
        else high = middle;
      }
      if (at(low) === rateNano) return true;
    }
  return false;
}
