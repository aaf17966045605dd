import { dateFormat } from './i18n';

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

const clockFace = dateFormat(CLOCK);
const day = dateFormat(DAY);
const dayAndYear = dateFormat({ ...DAY, year: 'numeric' });
const dayAndTime = dateFormat({ ...DAY, ...CLOCK });
const dayOfYearAndTime = dateFormat({ ...DAY, ...CLOCK, year: 'numeric' });
const dayOfServer = dateFormat({ ...DAY, year: 'numeric', timeZone: 'UTC' });

/** `07:21` on this device's clock face. */
export function formatTime(ms: number): string {
  return clockFace.format(ms);
}

/** The day of a moment, where the user is: `3 Oct 2026`, or `3 Oct` without the year. */
export function formatDate(ms: number, withYear = true): string {
  return (withYear ? dayAndYear : day).format(ms);
}

/** `07:21`, or `20 Nov, 07:21` on another day and `20 Nov 2025, 07:21` in another year, on this device's clock face. */
export function formatWhen(ms: number, nowMs: number): string {
  const [at, now] = [new Date(ms), new Date(nowMs)];
  if (at.toDateString() === now.toDateString()) return clockFace.format(ms);
  return (at.getFullYear() === now.getFullYear() ? dayAndTime : dayOfYearAndTime).format(ms);
}

/** A day of the server, `2026-10-03`, which is one of UTC wherever the user is: `3 Oct 2026`. */
export function formatDayKey(key: string): string {
  return dayOfServer.format(Date.parse(`${key}T00:00:00Z`));
}
