import { afterEach, expect, test } from 'vitest';
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

test('what is no day is unknown, and breaks nothing', () => {
  expect(formatDayKey('never')).toBe(formatDate(Number.NaN));
  expect(formatWhen(Number.NaN, 0)).toBe(formatTime(Number.NaN));
});
