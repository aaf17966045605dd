/** One day, ms. */
export const DAY_MS = 86_400_000;

/** The periods of rankings. */
export const PERIODS = ['all-time', 'monthly', 'weekly', 'daily'] as const;

/** UTC date of a time, `2026-11-21`: days are UTC everywhere. */
export function dayKey(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** UTC month, `2026-11`. */
export function monthKey(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** ISO 8601 week, `2026-W47`: weeks start on Monday, the first holds the year's first Thursday. */
export function weekKey(ms: number): string {
  const thursdayMs = weekStartMs(ms) + 3 * DAY_MS;
  const year = new Date(thursdayMs).getUTCFullYear();
  const week = 1 + Math.floor((thursdayMs - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

/** Keys of the day, week and month of a time. */
export interface PeriodKeys {
  readonly day: string;
  readonly week: string;
  readonly month: string;
}

let lastDay: PeriodKeys & { readonly startMs: number } = { startMs: Number.NaN, day: '', week: '', month: '' };

/** Returns all three keys of a time. Those of the last UTC day are cached: nearly every credit falls in it. */
export function periodKeys(ms: number): PeriodKeys {
  const startMs = dayStartMs(ms);
  if (startMs !== lastDay.startMs) lastDay = { startMs, day: dayKey(ms), week: weekKey(ms), month: monthKey(ms) };
  return lastDay;
}

/** Start of the UTC hour, ms since epoch: open mining becomes an entry then. */
export function hourStartMs(ms: number): number {
  return Math.floor(ms / 3_600_000) * 3_600_000;
}

/** Start of the UTC day, ms since epoch. */
export function dayStartMs(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** Start of the next UTC day, ms since epoch. */
export function nextDayStartMs(ms: number): number {
  return dayStartMs(ms) + DAY_MS;
}

/** Start of the ISO week (Monday 00:00 UTC), ms since epoch. */
export function weekStartMs(ms: number): number {
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7;
  return dayStartMs(ms) - daysSinceMonday * DAY_MS;
}

/** Start of the UTC month, ms since epoch. */
export function monthStartMs(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Start of the UTC day with this key, ms since epoch. */
export function dayStartOf(key: string): number {
  return Date.parse(`${key}T00:00:00Z`);
}

/** Start of the ISO week with this key, `2026-W47`, ms since epoch. The first week contains 4 January. */
export function weekStartOf(key: string): number {
  const [year = '', week = ''] = key.split('-W');
  return weekStartMs(Date.UTC(Number(year), 0, 4)) + (Number(week) - 1) * 7 * DAY_MS;
}

/** The day before a day key. */
export function previousDayKey(key: string): string {
  return dayKey(dayStartOf(key) - DAY_MS);
}
