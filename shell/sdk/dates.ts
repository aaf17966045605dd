import { dateFormat } from './i18n';

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

const clockFace = dateFormat(CLOCK);
const day = dateFormat(DAY);
const dayAndYear = dateFormat({ ...DAY, year: 'numeric' });
const dayAndTime = dateFormat({ ...DAY, ...CLOCK });
const dayOfYearAndTime = dateFormat({ ...DAY, ...CLOCK, year: 'numeric' });
const dayOfServer = dateFormat({ ...DAY, year: 'numeric', timeZone: 'UTC' });

/** Formats a local time: `07:21`. */
export function formatTime(ms: number): string {
  return clockFace.format(ms);
}

/** Formats a local date: `3 Oct 2026`, or `3 Oct` without the year. */
export function formatDate(ms: number, withYear = true): string {
  return (withYear ? dayAndYear : day).format(ms);
}

/** Formats a local time: `07:21` today, `20 Nov, 07:21` on another day, `20 Nov 2025, 07:21` in another year. */
export function formatWhen(ms: number, nowMs: number): string {
  const [at, now] = [new Date(ms), new Date(nowMs)];
  if (at.toDateString() === now.toDateString()) return clockFace.format(ms);
  return (at.getFullYear() === now.getFullYear() ? dayAndTime : dayOfYearAndTime).format(ms);
}

/** Formats a UTC day of the server, `2026-10-03`, as `3 Oct 2026` in every time zone. */
export function formatDayKey(key: string): string {
  return dayOfServer.format(Date.parse(`${key}T00:00:00Z`));
}
