import type { RuleChanges } from '@cord/contracts/http/rules';
import { checkinMostMicro, LARGEST_CREDIT_MICRO, taskRewardMicro } from '@cord/contracts/rules/bonuses';
import { isSameBook } from '@cord/contracts/rules/book-texts';
import { DAY_MS } from '@cord/contracts/rules/days';
import { RULES_AHEAD_MS, RULES_AHEAD_MS_LEAST, RULES_AHEAD_MS_MOST } from '@cord/contracts/rules/epochs';
import { bookChanges, FIRST_BOOK, type RuleBook, topHundredths } from '@cord/contracts/rules/rule-book';
import type { ChangeRefusal } from './epochs.js';

const HOUR_MS = 3_600_000;

/** A rule book with its announcement time and reason. */
export interface AnnouncedBook extends RuleBook {
  /** ms since epoch; null for the first book. */
  announcedAtMs: number | null;
  /** The reason shown to users; empty for the first book. */
  reason: string;
  /** Why users had less notice than RULES_AHEAD_MS; null when they had enough. */
  sooner: string | null;
  /** Id of the proposal that it came from. */
  proposal?: string;
}

/** A rule change that waits for a second operator. */
export interface Proposal {
  id: string;
  fromMs: number;
  changes: RuleChanges;
  reason: string;
  sooner: string | null;
  proposedBy: string;
  proposedAtMs: number;
}

/** The first book, as shown to everybody. */
export const FIRST: AnnouncedBook = { ...FIRST_BOOK, announcedAtMs: null, reason: '', sooner: null };

/** Returns the books with the proposed one announced now, or the refusal. Announced books never change: a new book only follows the last one. */
export function withBook(
  known: readonly AnnouncedBook[],
  { id, fromMs, changes, reason, sooner }: Proposal,
  nowMs: number,
): { books: AnnouncedBook[] } | { refusal: ChangeRefusal } {
  const books = known.length === 0 ? [FIRST] : known;
  const last = books.at(-1) as AnnouncedBook;
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const book: AnnouncedBook = {
    ...{ ...last, ...given, version: last.version + 1, fromMs },
    ...{ announcedAtMs: nowMs, reason, sooner, proposal: id },
  };
  const refusal = timeRefusal(last, fromMs, sooner, nowMs) ?? numbersRefusal(last, book);
  return refusal ? { refusal } : { books: [...books, book] };
}

/**
 * Returns the ledger's books up to a time, followed by this service's own books.
 * @param paid the books of the ledger, sorted by `fromMs`
 */
export function rejoinedBooks(
  paid: readonly RuleBook[],
  own: readonly AnnouncedBook[],
  atMs: number,
): readonly AnnouncedBook[] {
  const known = own.length === 0 ? [FIRST] : own;
  const past = paid
    .filter(({ fromMs }) => fromMs < atMs)
    .map((book) => known.find((each) => isSameBook(each, book)) ?? { ...FIRST, ...book });
  const coming = known.filter(({ fromMs }) => fromMs >= atMs);
  const present = known[known.length - coming.length - 1] ?? FIRST;
  return past.at(-1) === present ? [...past, ...coming] : [...past, { ...present, fromMs: atMs }, ...coming];
}

function timeRefusal(last: RuleBook, fromMs: number, sooner: string | null, nowMs: number): ChangeRefusal | null {
  if (fromMs < nowMs + RULES_AHEAD_MS_LEAST) {
    const hours = RULES_AHEAD_MS_LEAST / HOUR_MS;
    const translations = { de: `muss mindestens ${hours} Stunde in der Zukunft liegen` };
    return { path: 'from', message: `must be at least ${hours} hour ahead`, translations };
  }
  if (fromMs < nowMs + RULES_AHEAD_MS && sooner === null) {
    const hours = RULES_AHEAD_MS / HOUR_MS;
    const message = `must be at least ${hours} hours ahead, or sooner must give a reason that users read`;
    const translations = {
      de: `muss mindestens ${hours} Stunden in der Zukunft liegen, oder sooner nennt einen Grund, den die Nutzer lesen`,
    };
    return { path: 'from', message, translations };
  }
  if (fromMs > nowMs + RULES_AHEAD_MS_MOST) {
    const days = RULES_AHEAD_MS_MOST / DAY_MS;
    const translations = { de: `darf höchstens ${days} Tage in der Zukunft liegen` };
    return { path: 'from', message: `must be at most ${days} days ahead`, translations };
  }
  if (fromMs > last.fromMs) return null;
  const translations = { de: 'muss nach der letzten angekündigten Änderung liegen' };
  return { path: 'from', message: 'must be after the last announced change', translations };
}

function numbersRefusal(last: RuleBook, book: RuleBook): ChangeRefusal | null {
  if (bookChanges(last, book).length === 0) {
    return { path: 'changes', message: 'must change a number', translations: { de: 'muss eine Zahl ändern' } };
  }
  const rises = book.tiers.every(({ fromYears }, n) => n === 0 || fromYears > (book.tiers[n - 1]?.fromYears ?? 0));
  if (book.tiers[0]?.fromYears !== 0 || !rises) {
    const translations = { de: 'muss bei 0 Jahren beginnen und steigen' };
    return { path: 'changes.tiers', message: 'must begin at 0 years and rise', translations };
  }
  if (checkinMostMicro(book) > LARGEST_CREDIT_MICRO.checkin) {
    return aboveLedger('changes.checkinMicro', 'the check-in and its largest bonus', 'Check-in und größter Bonus', 150);
  }
  const topTier = BigInt(topHundredths(book));
  if (taskRewardMicro(BigInt(book.taskMostMicro), topTier) > LARGEST_CREDIT_MICRO.task) {
    return aboveLedger(
      'changes.tiers',
      'the largest task at the highest tier',
      'die größte Aufgabe in der höchsten Stufe',
      100_000,
    );
  }
  return null;
}

function aboveLedger(path: string, what: string, german: string, most: number): ChangeRefusal {
  const translations = { de: `${german} dürfen zusammen höchstens ${most} CORD bringen` };
  return { path, message: `${what} must pay at most ${most} CORD`, translations };
}
