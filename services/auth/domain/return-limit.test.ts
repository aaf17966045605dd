import { expect, test } from 'vitest';
import { firstCountedDay, mayReturn, RETURN_LIMIT, type ReturnLimit } from './return-limit.js';

const DAY = 20_000;

test.each<[string, number[], number, boolean]>([
  ['nothing known of the days', [], DAY, true],
  ['two erasures', [DAY, DAY], DAY, true],
  ['the third on one day', [DAY, DAY, DAY], DAY, false],
  ['the third on the thirtieth day', [DAY - 30, DAY - 1, DAY], DAY, false],
  ['the third a day later', [DAY - 31, DAY - 1, DAY], DAY, true],
  ['thirty days after the third', [DAY - 30, DAY - 30, DAY - 30], DAY, false],
  ['a day later still', [DAY - 31, DAY - 31, DAY - 31], DAY, true],
  ['days out of order, of a clock that went back', [DAY, DAY - 40, DAY], DAY, true],
])('a return is decided by its limit: %s', (_name, erasedOn, today, expected) => {
  expect(mayReturn(erasedOn, today, RETURN_LIMIT)).toBe(expected);
});

test('a return is decided by the smallest limit', () => {
  const smallest: ReturnLimit = { erasures: 1, days: 0 };
  expect(mayReturn([], DAY, smallest)).toBe(true);
  expect(mayReturn([DAY], DAY, smallest)).toBe(false);
  expect(mayReturn([DAY], DAY + 1, smallest)).toBe(true);
});

test('dropping old days never changes the decision on a return', () => {
  for (const limit of [RETURN_LIMIT, { erasures: 2, days: 1 }])
    for (let first = DAY - 3 * limit.days; first <= DAY; first++)
      for (let last = first; last <= DAY; last++) {
        const erasedOn = [first, ...Array.from({ length: limit.erasures - 1 }, () => last)];
        const kept = erasedOn.filter((day) => day >= firstCountedDay(DAY, limit));
        expect(mayReturn(kept, DAY, limit)).toBe(mayReturn(erasedOn, DAY, limit));
      }
});
