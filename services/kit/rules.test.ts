import { FIRST_BOOK, FIRST_BOOKS, type RuleBook } from '@cord/contracts/rules/rule-book';
import { expect, test } from 'vitest';
import { RULES_AGE_MS_MAX } from './bounds.js';
import { createLogger } from './log.js';
import { followRules } from './rules.js';
import { createTestClock } from './testing/service.js';

const NOON = Date.UTC(2026, 10, 18, 12);

/** A ledger with these books; it may be away. */
function ledgerOf(books: readonly RuleBook[]) {
  const clock = createTestClock(NOON);
  const ledger = { books, away: false, requests: 0 };
  const nats = {
    async request() {
      ledger.requests += 1;
      if (ledger.away) throw new Error('no answer');
      return { version: '1', books: ledger.books };
    },
  };
  const rules = followRules({ nats: nats as never, clock, log: createLogger('tasks', 'silent') });
  return { clock, ledger, rules };
}

test('the books are requested at the first payment, and again only when they are too old', async () => {
  const { clock, ledger, rules } = ledgerOf(FIRST_BOOKS);
  expect(await rules.bookForPayment(NOON)).toEqual(FIRST_BOOK);
  clock.pass(RULES_AGE_MS_MAX - 1);
  await rules.bookForPayment(clock.now());
  expect([ledger.requests, await rules.areKnown()]).toEqual([1, true]);
  clock.pass(1);
  await rules.bookForPayment(clock.now());
  expect(ledger.requests).toBe(2);
});

test('a payment uses the book of its time', async () => {
  const later = { ...FIRST_BOOK, version: 2, fromMs: NOON + 5_000 };
  const { rules } = ledgerOf([FIRST_BOOK, later]);
  expect([
    (await rules.bookForPayment(NOON + 4_999)).version,
    (await rules.bookForPayment(NOON + 5_000)).version,
  ]).toEqual([1, 2]);
});

test('while the ledger is away the known books stay, and pay only until they are too old', async () => {
  const { clock, ledger, rules } = ledgerOf(FIRST_BOOKS);
  ledger.away = true;
  expect(await rules.areKnown()).toBe(false);
  await expect(rules.bookForPayment(NOON)).rejects.toMatchObject({ status: 503, type: 'rules-old' });
  expect(rules.book(NOON)).toEqual(FIRST_BOOK);
  ledger.away = false;
  await rules.read();
  ledger.away = true;
  clock.pass(RULES_AGE_MS_MAX - 1);
  expect(await rules.bookForPayment(clock.now())).toEqual(FIRST_BOOK);
  clock.pass(1);
  await expect(rules.bookForPayment(clock.now())).rejects.toMatchObject({ status: 503 });
  // A clock that was set back changes nothing.
  clock.pass(-2 * RULES_AGE_MS_MAX);
  await expect(rules.bookForPayment(clock.now())).rejects.toMatchObject({ status: 503 });
});
