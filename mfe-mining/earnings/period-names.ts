import type { EarningsRange } from '@cord/contracts/http/mining';
import { dateFormat } from '@cord/sdk';
import { formatCord } from '@cord/ui';
import type { Period } from './periods';
import { SOURCES } from './sources';
import { EARNINGS_TEXTS } from './texts';

const UTC = { timeZone: 'UTC' } as const;
const weekday = dateFormat({ weekday: 'long', ...UTC });
const shortWeekday = dateFormat({ weekday: 'short', ...UTC });
const longDay = dateFormat({ day: 'numeric', month: 'long', ...UTC });
const longDate = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', ...UTC });
const shortDay = dateFormat({ day: 'numeric', month: 'short', ...UTC });
const moment = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', ...UTC } as const;
const dayAndTime = dateFormat(moment);
const dayOfYearAndTime = dateFormat({ ...moment, year: 'numeric' });
const month = dateFormat({ month: 'short', ...UTC });
const monthAndYear = dateFormat({ month: 'long', year: 'numeric', ...UTC });
const shortMonthAndYear = dateFormat({ month: 'short', year: 'numeric', ...UTC });

const isMonth = ({ key }: Pick<Period, 'key'>) => key.length === 'yyyy-mm'.length;

type Format = ReturnType<typeof dateFormat>;

/** Joins a weekday and its date as the language does. */
const dayIn = ({ startMs }: Period, name: Format, date: Format) =>
  EARNINGS_TEXTS.get().weekdayOf({ weekday: name.format(startMs), day: date.format(startMs) });

/** Formats `Thursday 26 November`, `November 2026`. */
export function longName(period: Period): string {
  if (isMonth(period)) return monthAndYear.format(period.startMs);
  return dayIn(period, weekday, longDay);
}

/** Formats `Thu 26 Nov`, `Nov 2026`; the present one is Today or This month. */
export function rowName(period: Period): string {
  const t = EARNINGS_TEXTS.get();
  if (isMonth(period)) return period.present ? t.thisMonth : shortMonthAndYear.format(period.startMs);
  return period.present ? t.today : dayIn(period, shortWeekday, shortDay);
}

/** Formats a column's label: `2 Nov`, `Nov`; the present day is Today. */
export function axisName(period: Period): string {
  if (isMonth(period)) return month.format(period.startMs);
  return period.present ? EARNINGS_TEXTS.get().today : shortDay.format(period.startMs);
}

/** For use within a sentence: `24 Nov`, `Nov 2026`. */
export function shortName({ key, startMs }: Pick<Period, 'key' | 'startMs'>): string {
  return isMonth({ key }) ? shortMonthAndYear.format(startMs) : shortDay.format(startMs);
}

/** Formats `28 Nov, 01:25`, or `28 Nov 2025, 01:25` in another year than the second time; in UTC, like the days. */
export function momentName(ms: number, besideMs: number): string {
  const yearOf = (at: number) => new Date(at).getUTCFullYear();
  return (yearOf(ms) === yearOf(besideMs) ? dayAndTime : dayOfYearAndTime).format(ms);
}

/** Formats `25 November 2026`. */
export function dateName(ms: number): string {
  return longDate.format(ms);
}

/** Formats `Thursday 26 November, 1,781.90 CORD: mining 781.01, check-in 140.00`. */
export function spokenPeriod(period: Period): string {
  const t = EARNINGS_TEXTS.get();
  const day = longName(period);
  if (period.before) return t.spokenBefore({ day });
  const { bucket } = period;
  const total = formatCord(bucket.total);
  const parts = SOURCES.filter((source) => bucket[source] > 0)
    .map((source) => t[`spoken.${source}`]({ amount: formatCord(bucket[source]) }))
    .join(', ');
  return parts === '' ? t.spoken({ day, total }) : t.spokenWith({ day, total, parts });
}

const MINUTE_MS = 60_000;

/** Formats `6 h 54 min`, `17 h 06 min`; hours may exceed 99. @param ms truncated to whole minutes */
export function hoursName(ms: number): string {
  const t = EARNINGS_TEXTS.get();
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 60) return t.minutes({ minutes });
  return t.hours({ hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, '0') });
}

export const RANGES = ['30d', '7d', '12m'] as const satisfies readonly [EarningsRange, ...EarningsRange[]];
