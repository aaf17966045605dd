import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkedIn, checkedInToday, checkinRefusal, currentStreak, newStreak, nextCheckinAtMs } from './streak.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A user who was never erased. */
const HERE = { returning: false, joinedAtMs: 0 };
const USER = 'a'.repeat(32);
const NONE: ExcusedDays = new Map();

describe('the streak', () => {
  test('grows by one each day, restarts after a missed day, and pays 50 plus 5 per day of the streak', () => {
    let streak = newStreak(USER);
    const paid: number[] = [];
    for (const offset of [0, 1, 2, 4, 5]) {
      const step = checkedIn(FIRST_BOOK, streak, NONE, NOW + offset * DAY);
      streak = step.streak;
      paid.push(Number(step.credit.amountMicro / 1_000_000n));
    }
    expect(paid).toEqual([55, 60, 65, 55, 60]);
    expect(streak).toMatchObject({ streak: 2, longestStreak: 3, totalCheckIns: 5 });
  });
  test('counts UTC dates, so that two check-ins can be a minute apart', () => {
    const before = Date.UTC(2026, 10, 21, 23, 59, 30);
    const { streak, credit } = checkedIn(FIRST_BOOK, newStreak(USER), NONE, before);
    expect(credit.key).toBe(`checkin:${USER}:2026-11-21`);
    expect(checkedInToday(streak, before)).toBe(true);
    expect(nextCheckinAtMs(streak, HERE, before)).toBe(Date.UTC(2026, 10, 22));
    expect(checkedInToday(streak, before + 60_000)).toBe(false);
    expect(currentStreak(streak, NONE, before + 60_000)).toBe(1);
  });
  test('loses no day and repeats no key when the clocks of replicas differ', () => {
    const aroundMidnight = fc.array(fc.integer({ min: -36 * HOUR, max: 60 * HOUR }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(aroundMidnight, (offsets) => {
        let streak = newStreak(USER);
        const keys: string[] = [];
        for (const offset of offsets) {
          const nowMs = Date.UTC(2026, 10, 21) + offset;
          if (checkinRefusal(streak, HERE, nowMs) !== null) {
            expect(nextCheckinAtMs(streak, HERE, nowMs)).toBeGreaterThan(nowMs);
            continue;
          }
          const made = checkedIn(FIRST_BOOK, streak, NONE, nowMs);
          ({ streak } = made);
          keys.push(made.credit.key);
        }
        expect(keys).toEqual([...new Set(keys)].sort());
        expect(streak.days.map((each) => each.dayKey)).toEqual(keys.map((key) => key.slice(-10)).reverse());
      }),
    );
    const ahead = checkedIn(
      FIRST_BOOK,
      checkedIn(FIRST_BOOK, newStreak(USER), NONE, NOW).streak,
      NONE,
      Date.UTC(2026, 10, 22),
    );
    expect(ahead.day.streak).toBe(2);
    const behind = Date.UTC(2026, 10, 22) - 1;
    expect(checkinRefusal(ahead.streak, HERE, behind)).toBe('already-checked-in');
    expect(currentStreak(ahead.streak, NONE, behind)).toBe(2);
    expect(nextCheckinAtMs(ahead.streak, HERE, behind)).toBe(Date.UTC(2026, 10, 23));
  });
  test('has no check-in on the day on which an erased user returns', () => {
    const back = { returning: true, joinedAtMs: NOW };
    expect(checkinRefusal(newStreak(USER), back, NOW + 11 * HOUR)).toBe('returning');
    expect(nextCheckinAtMs(newStreak(USER), back, NOW)).toBe(Date.UTC(2026, 10, 22));
    expect(checkinRefusal(newStreak(USER), back, Date.UTC(2026, 10, 22))).toBeNull();
    expect(checkinRefusal(newStreak(USER), { ...back, returning: false }, NOW)).toBeNull();
    expect(checkinRefusal(newStreak(USER), null, NOW)).toBe('not-known-yet');
  });
  test('continues after excused days, which pay nothing', () => {
    const excused: ExcusedDays = new Map([
      ['2026-11-22', 'claims-off'],
      ['2026-11-23', 'outage'],
    ]);
    const { streak } = checkedIn(FIRST_BOOK, newStreak(USER), excused, NOW);
    expect(currentStreak(streak, excused, NOW + 3 * DAY)).toBe(1);
    const next = checkedIn(FIRST_BOOK, streak, excused, NOW + 3 * DAY);
    expect(next.streak).toMatchObject({ streak: 2, longestStreak: 2, totalCheckIns: 2, totalMicro: 115_000_000n });
    expect(currentStreak(streak, excused, NOW + 4 * DAY)).toBe(0);
    expect(checkedIn(FIRST_BOOK, streak, NONE, NOW + 3 * DAY).day.streak).toBe(1);
  });
});
