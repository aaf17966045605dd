import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ageTenths, displayedAge, snowflakeFromMs, snowflakeToMs } from './age.js';
import { checkinReward, commissionMicro, referredBonusMicro, taskRewardMicro, welcomeMicro } from './bonuses.js';
import { isReferralCode, normaliseCode } from './codes.js';
import {
  DAY_MS,
  dayKey,
  dayStartMs,
  monthKey,
  monthStartMs,
  nextDayStartMs,
  periodKeys,
  previousDayKey,
  weekKey,
  weekStartMs,
} from './days.js';
import { cord, MICRO, microFromString, microToNumber, microToString, numberToMicro } from './money.js';
import { accrue, CARRY_UNIT, type RateFactors, rateNano, rateToNumber, strands } from './rate.js';
import { FIRST_BOOK } from './rule-book.js';
import { nextTierBirthdayMs, tierHundredths, YEAR_MS } from './tiers.js';

const plain: RateFactors = { tierHundredths: 100n, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
const anyFactors = fc.record<RateFactors>({
  tierHundredths: fc.constantFrom(...FIRST_BOOK.tiers.map((tier) => BigInt(tier.hundredths))),
  antiCheatHundredths: fc.constantFrom(10n, 30n, 50n, 75n, 100n),
  badge: fc.boolean(),
  epochHundredths: fc.bigInt(1n, 1000n),
});
const anyTime = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2100, 0, 1) });

describe('money', () => {
  test('a micro-CORD amount survives the conversion to a number and back', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 14n), 10n ** 14n), (micro) => {
        expect(numberToMicro(microToNumber(micro))).toBe(micro);
        expect(microFromString(microToString(micro))).toBe(micro);
      }),
    );
  });
  test('a number with more than 6 decimals is rejected', () => {
    expect(() => numberToMicro(0.0000001)).toThrow(RangeError);
    expect(() => numberToMicro(Number.NaN)).toThrow(RangeError);
    expect(() => numberToMicro(Number.MAX_VALUE)).toThrow(RangeError);
  });
  test('a text that is not an integer is rejected', () => {
    for (const text of ['', '1.5', '1e3', ' 1', '0x1']) expect(() => microFromString(text)).toThrow(RangeError);
  });
  test('every amount up to 9,007,199,254 CORD is exact to its last decimal', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 53n), 2n ** 53n), (micro) => {
        const digits = `${micro < 0n ? -micro : micro}`.padStart(7, '0');
        const decimal = `${micro < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
        expect(microToNumber(micro)).toBe(Number(decimal));
      }),
    );
  });
  test('negative fractions keep their sign', () => {
    expect(microToNumber(-500_000n)).toBe(-0.5);
    expect(microToNumber(-1_500_000n)).toBe(-1.5);
  });
});

describe('tiers and age', () => {
  test('the tier table has nine steps, from x1 to x10', () => {
    const byYears = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8, 20].map(
      (years) => Number(tierHundredths(FIRST_BOOK, years * YEAR_MS)) / 100,
    );
    expect(byYears).toEqual([1, 1.2, 1.5, 2, 2.5, 3.5, 5, 7, 10, 10]);
  });
  test('a tier begins at the exact ms of its birthday', () => {
    for (const tier of FIRST_BOOK.tiers.slice(1)) {
      expect(tierHundredths(FIRST_BOOK, tier.fromYears * YEAR_MS)).toBe(BigInt(tier.hundredths));
      expect(tierHundredths(FIRST_BOOK, tier.fromYears * YEAR_MS - 1)).toBeLessThan(BigInt(tier.hundredths));
    }
  });
  test('the tier changes at the next birthday, and not before', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 0, max: 12 * YEAR_MS }), (createdAtMs, ageMs) => {
        const nowMs = createdAtMs + ageMs;
        const birthdayMs = nextTierBirthdayMs(FIRST_BOOK, createdAtMs, nowMs);
        if (birthdayMs === null) {
          expect(tierHundredths(FIRST_BOOK, ageMs)).toBe(1000n);
          return;
        }
        expect(birthdayMs).toBeGreaterThan(nowMs);
        expect(tierHundredths(FIRST_BOOK, birthdayMs - 1 - createdAtMs)).toBe(tierHundredths(FIRST_BOOK, ageMs));
        expect(tierHundredths(FIRST_BOOK, birthdayMs - createdAtMs)).toBeGreaterThan(tierHundredths(FIRST_BOOK, ageMs));
      }),
    );
  });
  test('a snowflake returns the ms of its creation', () => {
    fc.assert(
      fc.property(anyTime, fc.bigInt(0n, 0x3fffffn), (ms, low) => {
        expect(snowflakeToMs(snowflakeFromMs(ms, low))).toBe(ms);
      }),
    );
  });
  test('an invalid snowflake is rejected', () => {
    for (const id of ['', 'abc', '-1', '1.5', '99999999999999999999'])
      expect(() => snowflakeToMs(id)).toThrow(RangeError);
  });
  test('the displayed age is cut to one decimal, never rounded up', () => {
    expect(displayedAge(0, 5.49 * YEAR_MS)).toBe(5.4);
    expect(ageTenths(0, YEAR_MS - 1)).toBe(9);
    expect(displayedAge(1000, 0)).toBe(0);
  });
});

describe('rate', () => {
  test('the base rate is 0.5 CORD a minute; the highest tier with badge and epoch x1.3 pays 6.825', () => {
    expect(rateToNumber(rateNano(FIRST_BOOK, plain))).toBe(0.5);
    expect(
      rateToNumber(
        rateNano(FIRST_BOOK, { tierHundredths: 1000n, antiCheatHundredths: 100n, badge: true, epochHundredths: 130n }),
      ),
    ).toBe(6.825);
    expect(rateToNumber(rateNano(FIRST_BOOK, { ...plain, tierHundredths: 350n, epochHundredths: 110n }))).toBe(1.925);
  });
  test('the rate is the exact product of its factors', () => {
    fc.assert(
      fc.property(anyFactors, (f) => {
        const badge = f.badge ? 105n : 100n;
        expect(rateNano(FIRST_BOOK, f) * 100n ** 4n).toBe(
          500_000_000n * f.tierHundredths * f.antiCheatHundredths * badge * f.epochHundredths,
        );
      }),
    );
  });
  test('however a span is split, the sum is the floor of rate x time', () => {
    fc.assert(
      fc.property(anyFactors, fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 50 }), (factors, pieces) => {
        const rate = rateNano(FIRST_BOOK, factors);
        let carry = 0n;
        let micro = 0n;
        for (const ms of pieces) {
          const step = accrue({ rateNano: rate, ms, carry });
          micro += step.micro;
          carry = step.carry;
        }
        const totalMs = BigInt(pieces.reduce((sum, ms) => sum + ms, 0));
        expect(micro).toBe((rate * totalMs) / CARRY_UNIT);
        expect(carry).toBe((rate * totalMs) % CARRY_UNIT);
      }),
    );
  });
  test('the strands of a rate add up to it', () => {
    fc.assert(
      fc.property(anyFactors, (factors) => {
        expect(strands(FIRST_BOOK, factors).reduce((sum, strand) => sum + strand.addsNano, 0n)).toBe(
          rateNano(FIRST_BOOK, factors),
        );
      }),
    );
  });
});

describe('bonuses', () => {
  test('the welcome credit is floor((50 + 25 age + 100 (multiplier - 1)) x 2)', () => {
    expect(welcomeMicro(0, 100n)).toBe(cord(100));
    expect(welcomeMicro(54, 350n)).toBe(cord(870));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.constantFrom(...FIRST_BOOK.tiers), (tenths, tier) => {
        const twiceTenths = 500n + 25n * BigInt(tenths) + 10n * (BigInt(tier.hundredths) - 100n);
        expect(welcomeMicro(tenths, BigInt(tier.hundredths))).toBe(((twiceTenths * 2n) / 10n) * MICRO);
      }),
    );
  });
  test('a newcomer with a code gets a tenth of their own welcome credit', () => {
    expect(referredBonusMicro(cord(870))).toBe(cord(87));
  });
  test('a check-in pays 50 CORD, plus 5 for each day of the streak up to 100', () => {
    expect([1, 2, 20, 21, 500].map((streak) => Number(checkinReward(FIRST_BOOK, streak).bonusMicro / MICRO))).toEqual([
      5, 10, 100, 100, 100,
    ]);
    expect(checkinReward(FIRST_BOOK, 9).rewardMicro).toBe(cord(50));
  });
  test('commission is floored once: payments in parts never pay more than one payment', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(0n, 10n ** 9n), { maxLength: 30 }), (parts) => {
        let eligible = 0n;
        let paid = 0n;
        for (const part of parts) {
          eligible += part;
          paid += commissionMicro(FIRST_BOOK, eligible) - paid;
        }
        expect(paid).toBe(eligible / 10n);
      }),
    );
  });
  test('a task pays its base times the multiplier', () => {
    expect(taskRewardMicro(cord(35), 350n)).toBe(122_500_000n);
  });
});

describe('days', () => {
  test('weeks are ISO weeks, also around new year', () => {
    const keys = ['2026-11-21', '2026-01-01', '2027-01-01', '2024-12-30', '2021-01-03'].map((date) =>
      weekKey(Date.parse(`${date}T12:00:00Z`)),
    );
    expect(keys).toEqual(['2026-W47', '2026-W01', '2026-W53', '2025-W01', '2020-W53']);
  });
  test('every time lies in its own day, week and month', () => {
    fc.assert(
      fc.property(anyTime, (ms) => {
        expect(dayStartMs(ms)).toBeLessThanOrEqual(ms);
        expect(nextDayStartMs(ms)).toBeGreaterThan(ms);
        expect(dayKey(dayStartMs(ms))).toBe(dayKey(ms));
        expect(previousDayKey(dayKey(ms))).toBe(dayKey(ms - DAY_MS));
        expect(new Date(weekStartMs(ms)).getUTCDay()).toBe(1);
        expect(weekKey(weekStartMs(ms))).toBe(weekKey(ms));
        expect(weekKey(weekStartMs(ms) - 1)).not.toBe(weekKey(ms));
        expect(monthKey(monthStartMs(ms))).toBe(monthKey(ms));
        expect(monthKey(monthStartMs(ms) - 1)).not.toBe(monthKey(ms));
      }),
    );
  });
  test('the three keys of a time are correct, whatever was requested before', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }), (ms, away) => {
        for (const atMs of [ms, ms + away, ms]) {
          expect(periodKeys(atMs)).toMatchObject({ day: dayKey(atMs), week: weekKey(atMs), month: monthKey(atMs) });
        }
      }),
    );
  });
});

describe('codes', () => {
  test('codes of 6 or 8 characters are accepted after trimming and upper-casing, others are not', () => {
    expect(isReferralCode(normaliseCode(' k7m2qx9d '))).toBe(true);
    expect(isReferralCode('ABC123')).toBe(true);
    for (const text of ['', 'ABC12', 'ABC1234', 'ABC12345X', 'ABC-12', 'ÄBC123'])
      expect(isReferralCode(text)).toBe(false);
  });
});
