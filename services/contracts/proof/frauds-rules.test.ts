import { describe, expect, test } from 'vitest';
import { FIRST_BOOK } from '../rules/rule-book.js';
import { toBase64, utf8 } from './bytes.js';
import type { ChainEntry } from './chain.js';
import { miningFacts } from './chain.js';
import { type PublishedRules, rateFaults, readRules, rulesText } from './rules.js';
import { failure, proof, remade, sha256, verdict } from './test/frauds.js';
import { DAY, leafOf, resealed } from './test/sample.js';
import type { Holds } from './verify.js';

/* Frauds that an operator could try with the rules: rates of no book, and books written afterwards. */

const HOUR_MS = 3_600_000;
const NOON_MS = Date.UTC(2026, 10, 26, 12);
const RULES: PublishedRules = {
  books: [FIRST_BOOK],
  epochs: [{ id: 'alpha', multiplierHundredths: 100, startAt: NOON_MS - 90 * HOUR_MS, endAt: NOON_MS + 90 * HOUR_MS }],
};

/** A consistent file of entries, whose record pins the rules. */
function fileWith(
  rules: PublishedRules | string,
  change: (entry: ChainEntry) => Partial<ChainEntry> = () => ({}),
  day = DAY,
) {
  const own = proof();
  const entries = resealed(
    own.account,
    own.entries.map((entry) => ({ ...entry, ...change(entry) })),
  );
  const text = typeof rules === 'string' ? rules : rulesText(rules, day);
  return { ...remade({ ...own, entries }, leafOf(own.account, entries, day), undefined, text), rules: text };
}
/** The facts of an entry with another rate and the same amount. */
const atRate = (rateNano: bigint) => (entry: ChainEntry) => {
  if (entry.n !== '4') return {};
  const units = BigInt(entry.amount) * 60_000_000n;
  return { facts: miningFacts(rateNano, Number(units / rateNano), units % rateNano) };
};

describe('a file with the rules that the record pins', () => {
  test('holds with the rules and without them', async () => {
    const file = fileWith(RULES);
    const checked = await verdict(file);
    expect(checked).toMatchObject({ ok: true, recomputed: 5, ratesChecked: true });
    expect(checked.text).toMatch(/, 5 recomputed$/);
    const { rules: _, ...without } = file;
    expect(await verdict(without)).toMatchObject({
      ...{ ok: true, recomputed: 5, ratesChecked: false },
      text: expect.stringMatching(/, 5 recomputed, rates not checked$/),
    });
  });

  test('fails with a rate that no age, badge and network check yield', async () => {
    expect(await verdict(fileWith(RULES, atRate(600_000_000n)))).toMatchObject({ ok: true });
    const found = await failure(fileWith(RULES, atRate(512_000_000n)));
    expect(found.text).toBe('MISMATCH entry 4: its rate 512000000 is none that the rules of its time allow');
    // Above the oldest account with the badge.
    expect(await failure(fileWith(RULES, atRate(6_000_000_000n)))).toMatchObject({
      part: 'entry',
      n: '4',
    });
  });

  test('with a wrong rate after midnight fails in the check that continues from it', async () => {
    const change = (entry: ChainEntry) =>
      entry.n === '10'
        ? { at: String(NOON_MS + 12 * HOUR_MS + 300_000), facts: miningFacts(512_000_000n, 3_515_625, 0n) }
        : {};
    const first = await verdict(fileWith(RULES, change));
    expect(first).toMatchObject({ ok: true, entries: 10, covered: { n: 9 }, newest: { n: 10 } });
    const next = fileWith(RULES, change, '2026-11-27');
    const part = { ...next, entries: next.entries.slice(9) };
    expect(await failure(part, { from: (first as Holds).covered })).toMatchObject({ part: 'entry', n: '10' });
    // For a past day all entries are covered.
    expect(await verdict(fileWith(RULES))).toMatchObject({ ok: true, covered: { n: 10 } });
  });

  test('fails with the old book after the start of the new one', async () => {
    const second = { ...FIRST_BOOK, version: 2, fromMs: NOON_MS - 30 * 60_000, baseNano: 100_000_000 };
    const books = [FIRST_BOOK, second];
    // A rate above anything the second book pays.
    const old = await failure(fileWith({ ...RULES, books }, atRate(5_000_000_000n)));
    expect(old).toMatchObject({ part: 'entry', n: '4' });
  });

  test('fails with books that were written afterwards or are malformed', async () => {
    const file = fileWith(RULES);
    const other = rulesText({ ...RULES, books: [{ ...FIRST_BOOK, baseNano: 1 }] }, DAY);
    expect(await failure({ ...file, rules: other })).toMatchObject({ part: 'rules' });
    for (const text of [
      '',
      '{}',
      '["cord/rules/2"]',
      JSON.stringify(['cord/rules/2', DAY, 'epoch', 'a', '1', '2', '3']),
      // Reads as a number, but is not an integer in its canonical form.
      ...[Number.NaN, 0.5, -1, 1e21].flatMap((wrong) => [
        rulesText({ ...RULES, books: [{ ...FIRST_BOOK, baseNano: wrong }] }, DAY),
        rulesText({ ...RULES, books: [{ ...FIRST_BOOK, tiers: [{ fromYears: 0, hundredths: wrong }] }] }, DAY),
        rulesText({ ...RULES, epochs: [{ ...RULES.epochs[0], multiplierHundredths: wrong } as never] }, DAY),
      ]),
    ])
      expect(await failure(fileWith(text))).toMatchObject({ part: 'rules' });
    expect(await failure({ ...file, rules: 5 })).toMatchObject({ part: 'file' });
    expect(await failure(fileWith(rulesText(RULES, '2026-11-25')))).toMatchObject({ part: 'rules' });
  });
});

describe('the rate of an entry', () => {
  const changeMs = NOON_MS;
  const second = { ...FIRST_BOOK, version: 2, fromMs: changeMs, baseNano: 123_456_789 };
  const faultOf = rateFaults({ books: [FIRST_BOOK, second], epochs: [] }, DAY);
  const entry = (rate: number, fromMs: number, untilMs: number, at = untilMs) =>
    ({ n: '1', facts: miningFacts(BigInt(rate), untilMs - fromMs, 0n), at: String(at) }) as ChainEntry;
  // The oldest account by each book: more than any payment of the second one, and no payment of the first one.
  const [was, is] = [5_000_000_000, 1_234_567_890];

  test.each([
    ['of the old book up to its end', entry(was, changeMs - 1_000, changeMs), true],
    ['of the new book from its beginning', entry(is, changeMs, changeMs + 1_000), true],
    ['of the new book to the end of the hour', entry(is, changeMs, changeMs + HOUR_MS, changeMs + HOUR_MS - 1), true],
    ['of the new book before', entry(is, changeMs - 1_000, changeMs), false],
    ['of the old book after', entry(was, changeMs, changeMs + 1_000), false],
    ['of the old book over the change', entry(was, changeMs - 1_000, changeMs + 1_000), false],
    ['of one ms at either side', entry(was, changeMs - 1, changeMs), true],
    ['of after the day', entry(1, NOON_MS + 12 * HOUR_MS, NOON_MS + 13 * HOUR_MS), true],
    [
      'that was dated to the first ms of a day',
      entry(1, NOON_MS - 14 * HOUR_MS, NOON_MS - 13 * HOUR_MS, NOON_MS - 12 * HOUR_MS),
      true,
    ],
  ])('%s', (_name, made, holds) => {
    expect(faultOf(made) === null).toBe(holds);
  });

  test('has no fault without facts', () => {
    expect(faultOf({ n: '1', facts: '', at: '1' } as ChainEntry)).toBeNull();
  });
});

test('a rules text is parsed only in its exact form', () => {
  const text = rulesText(RULES, DAY);
  expect(readRules(text, DAY)).toEqual({
    books: [FIRST_BOOK],
    epochs: [{ ...RULES.epochs[0], endAt: NOON_MS + 12 * HOUR_MS }],
  });
  expect(readRules(`${text} `, DAY)).toBeNull();
  expect(readRules(text.replace('500000000', '0500000000'), DAY)).toBeNull();
  expect(toBase64(sha256(utf8(text)))).toHaveLength(44);
});
