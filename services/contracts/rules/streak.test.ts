import { describe, expect, test } from 'vitest';
import { daysOff, type ExcusedDays, isStreakUnbroken } from './streak.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONDAY = Date.UTC(2026, 10, 23);
const at = (days: number, hours: number, minutes = 0) => MONDAY + days * DAY + hours * HOUR + minutes * MINUTE;
const off = (fromMs: number, toMs: number | null) => ({ fromMs, toMs });

describe('days on which check-ins were off', () => {
  test.each([
    ['twelve hours to the minute are not most of the day', [off(at(0, 1), at(0, 13))], []],
    ['a minute more is', [off(at(0, 1), at(0, 13, 1))], ['2026-11-23']],
    ['29 minutes of the last three hours are not enough', [off(at(0, 22), at(0, 22, 29))], []],
    ['30 are', [off(at(0, 22), at(0, 22, 30))], ['2026-11-23']],
    ['30 in pieces are, too', [off(at(0, 21), at(0, 21, 10)), off(at(0, 23, 40), at(1, 0))], ['2026-11-23']],
    ['only what lies in the last three hours counts among them', [off(at(0, 20), at(0, 21, 29))], []],
    ['the same time given twice counts once', [off(at(0, 1), at(0, 9)), off(at(0, 1), at(0, 9))], []],
    [
      'each of several days is looked at',
      [off(at(0, 23), at(3, 13))],
      ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'],
    ],
    ['what is off still counts up to now', [off(at(4, 0), null)], ['2026-11-27']],
    ['of the present day there is no result', [off(at(5, 0), null)], []],
    ['a span that ends before it begins is none', [off(at(1, 0), at(0, 0))], []],
  ])('%s', (_name, spans, days) => {
    expect(daysOff(spans, at(5, 18))).toEqual(days);
  });

  test('cover only the last year of a longer span', () => {
    const days = daysOff([off(0, null)], at(5, 18));
    expect([days.length, days.at(-1)]).toEqual([366, '2026-11-27']);
  });
});

describe('a streak', () => {
  const excused = (...keys: string[]): ExcusedDays => new Map(keys.map((key) => [key, 'claims-off']));
  test('lasts through the day after its last check-in, and across excused days', () => {
    expect(isStreakUnbroken('2026-11-23', '2026-11-23', excused())).toBe(true);
    expect(isStreakUnbroken('2026-11-23', '2026-11-24', excused())).toBe(true);
    expect(isStreakUnbroken('2026-11-23', '2026-11-25', excused())).toBe(false);
    expect(isStreakUnbroken('2026-11-23', '2026-11-26', excused('2026-11-24', '2026-11-25'))).toBe(true);
    expect(isStreakUnbroken('2026-11-23', '2026-11-26', excused('2026-11-24'))).toBe(false);
    expect(isStreakUnbroken('2026-11-23', '2026-11-26', excused('2026-11-25'))).toBe(false);
  });
});
