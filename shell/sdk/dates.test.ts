import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { englishDates } from './date-names';
import { formatDate, formatDayKey, formatTime, formatWhen } from './dates';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each(['Pacific/Pago_Pago', 'America/Los_Angeles', 'UTC', 'Pacific/Auckland', 'Pacific/Kiritimati'])(
  'a day of the server is the same day in %s',
  (timeZone) => {
    process.env.TZ = timeZone;
    expect(formatDayKey('2026-11-01')).toBe('1 Nov 2026');
    expect(formatDayKey('2026-12-31')).toBe('31 Dec 2026');
  },
);

test('an invalid day or time is shown as unknown, without an error', () => {
  expect(formatDayKey('never')).toBe(formatDate(Number.NaN));
  expect(formatWhen(Number.NaN, 0)).toBe(formatTime(Number.NaN));
});

test('a time of another day includes the day, one of another year also the year', () => {
  process.env.TZ = 'UTC';
  const nowMs = Date.parse('2026-11-29T12:00:00Z');
  expect(formatWhen(Date.parse('2026-11-29T07:21:00Z'), nowMs)).toBe('07:21');
  expect(formatWhen(Date.parse('2026-11-20T07:21:00Z'), nowMs)).toBe('20 Nov, 07:21');
  expect(formatWhen(Date.parse('2026-10-29T07:21:00Z'), nowMs)).toBe('29 Oct, 07:21');
  expect(formatWhen(Date.parse('2025-11-29T07:21:00Z'), nowMs)).toBe('29 Nov 2025, 07:21');
});

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const SHORT = { day: 'numeric', month: 'short' } as const;
const LONG = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const FORMS: Intl.DateTimeFormatOptions[] = [
  ...[CLOCK, { weekday: 'long' } as const, { weekday: 'short' } as const, LONG],
  ...[SHORT, { ...SHORT, year: 'numeric' } as const, { ...SHORT, ...CLOCK }],
];

const ANY_DAY = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) });
/** A day and a half around nights with a clock change. */
const NIGHTS = ['2026-03-08T10:00Z', '2026-04-04T14:00Z', '2026-11-01T09:00Z'];
const CHANGES = fc
  .tuple(fc.constantFrom(...NIGHTS), fc.integer({ min: -72, max: 72 }))
  .map(([night, halfHours]) => Date.parse(night) + halfHours * 1_800_000);

test.each(['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])(
  'dates formatted by hand equal those of Intl, in %s',
  (zone) => {
    process.env.TZ = zone;
    for (const form of FORMS.flatMap((each) => [each, { ...each, timeZone: 'UTC' }])) {
      const byHand = englishDates(form);
      const rules = new Intl.DateTimeFormat('en-GB', form);
      fc.assert(
        fc.property(fc.oneof(ANY_DAY, CHANGES), (ms) => {
          // September is abbreviated to three letters.
          expect(byHand?.(new Date(ms))).toBe(rules.format(ms).replace(/\bSept\b/, 'Sep'));
        }),
      );
    }
  },
);

test.each([
  { weekday: 'short', ...SHORT } as const,
  { ...LONG, ...CLOCK },
  { ...CLOCK, second: '2-digit' } as const,
  { ...CLOCK, timeZone: 'Asia/Tokyo' },
  { hour: 'numeric' } as const,
  { year: 'numeric' } as const,
])('%j is left to Intl', (form) => {
  expect(englishDates(form)).toBeNull();
});
