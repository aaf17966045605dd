import { SOURCES } from '@cord/contracts/events/balance';
import { EARNINGS_RANGES } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FinishedDay } from '../ledger/account.js';
import { bucketsOf, PARTS, spanOf, summaryOf } from './buckets.js';

const NOW_MS = Date.UTC(2026, 10, 27, 19, 12);

const amounts = fc.dictionary(fc.constantFrom(...SOURCES, 'of-a-newer-release'), fc.bigInt(1n, 10n ** 15n));
const days = fc.uniqueArray(
  fc.record({ ago: fc.integer({ min: 0, max: 500 }), bySource: amounts, ranMs: fc.nat({ max: DAY_MS }) }),
  { selector: ({ ago }) => ago, maxLength: 40 },
);
const finished = (ago: number, bySource: FinishedDay['bySource'], ranMs = 0): FinishedDay => {
  return { userId: 'u', dayKey: dayKey(NOW_MS - ago * DAY_MS), bySource, ranMs };
};
/** All but corrections, which are nothing that came. */
const sumOf = ({ correction: _none, ...earned }: FinishedDay['bySource']) =>
  Object.values(earned).reduce((sum, one) => sum + one, 0n);

describe('earnings over a range', () => {
  test.each(EARNINGS_RANGES)(
    'of %s contain every day of the range once, to the micro-CORD, and no other day',
    (range) => {
      fc.assert(
        fc.property(days, (some) => {
          const all = some.map(({ ago, bySource, ranMs }) => finished(ago, bySource, ranMs));
          const span = spanOf(range, NOW_MS);
          const within = all.filter((day) => day.dayKey >= span.firstDay && day.dayKey <= span.lastDay);
          const buckets = bucketsOf(span, all);
          const { totalMicro, best } = summaryOf(span, buckets, 0);
          expect(totalMicro).toBe(within.reduce((sum, { bySource }) => sum + sumOf(bySource), 0n));
          expect(buckets.reduce((sum, { ranMs }) => sum + ranMs, 0)).toBe(within.reduce((sum, d) => sum + d.ranMs, 0));
          for (const { parts, claimsBy, totalMicro: whole } of buckets) {
            expect(sumOf(claimsBy)).toBe(parts.claims);
            expect(PARTS.reduce((sum, part) => sum + parts[part], 0n)).toBe(whole);
          }
          expect(buckets.every((one) => one.totalMicro <= (best?.totalMicro ?? 0n))).toBe(true);
        }),
      );
    },
  );

  test('cover 7 or 30 days up to today, or 12 months up to this one, in order, with zeros for empty ones', () => {
    expect(bucketsOf(spanOf('7d', NOW_MS), []).map(({ key }) => key)).toEqual([
      ...['2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'],
    ]);
    expect(spanOf('30d', NOW_MS)).toMatchObject({ firstDay: '2026-10-29', lastDay: '2026-11-27' });
    expect(spanOf('30d', NOW_MS).keys).toHaveLength(30);
    const { keys, firstDay } = spanOf('12m', NOW_MS);
    expect([keys[0], keys.at(-1), keys.length, firstDay]).toEqual(['2025-12', '2026-11', 12, '2025-12-01']);
    expect(spanOf('12m', Date.UTC(2026, 1, 29)).keys.at(-1)).toBe('2026-03');
  });

  test('show every source except mining, check-in, task and commission as a claim', () => {
    const newer = { 'of-a-newer-release': 3n } as FinishedDay['bySource'];
    const [bucket] = bucketsOf(spanOf('7d', NOW_MS), [finished(6, { welcome: 1n, refbonus: 2n, task: 5n, ...newer })]);
    expect(bucket?.parts).toEqual({ mining: 0n, checkin: 0n, tasks: 5n, commission: 0n, claims: 6n });
    expect(bucket?.claimsBy).toEqual({ welcome: 1n, refbonus: 2n, ...newer });
  });

  test('are averaged over the days since the account was opened, and the first of equal best days is the best', () => {
    const span = spanOf('7d', NOW_MS);
    const buckets = bucketsOf(span, [finished(3, { mining: 10n }), finished(1, { mining: 10n })]);
    expect(summaryOf(span, buckets, NOW_MS - 3 * DAY_MS)).toMatchObject({
      averageMicro: 5n,
      best: { key: '2026-11-24' },
    });
    expect(summaryOf(span, buckets, NOW_MS - 90 * DAY_MS).averageMicro).toBe(2n);
    expect(summaryOf(span, bucketsOf(span, []), NOW_MS)).toEqual({ totalMicro: 0n, averageMicro: 0n, best: null });
  });
});
