import { DAY_MS, dayKey, dayStartMs, previousDayKey } from './days.js';

/** A stretch of time in which something was off, ms since epoch; `toMs` is null while it still is. */
export interface OffSpan {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Why no user could be expected to check in on a UTC day. */
export const EXCUSES = ['claims-off', 'outage'] as const;
type Excuse = (typeof EXCUSES)[number];

/** UTC days that break no streak, by their keys, each with its reason. */
export type ExcusedDays = ReadonlyMap<string, Excuse>;

/** More than this of a UTC day off excuses it, ms. */
const EXCUSED_DAY_MS = DAY_MS / 2;
/** The end of a UTC day, in which most people who wait check in, ms; and how much of it off excuses the day. */
export const LAST_HOURS_MS = 3 * 3_600_000;
export const EXCUSED_LAST_HOURS_MS = 30 * 60_000;

/** How far back days are looked at, ms: as long as check-ins are kept. */
const LOOK_BACK_MS = 366 * DAY_MS;

/** When no user could check in: while claims were switched off, and while check-ins could not be made through a fault of ours. */
export interface Hindrances {
  readonly claimsOff: readonly OffSpan[];
  readonly outages: readonly OffSpan[];
}

/** The UTC days, of those that are over, that break no streak; the switch is the reason where its time alone suffices. */
export function excusedDays({ claimsOff, outages }: Hindrances, nowMs: number): ExcusedDays {
  const days = new Map<string, Excuse>();
  for (const day of daysOff([...claimsOff, ...outages], nowMs)) days.set(day, 'outage');
  for (const day of daysOff(claimsOff, nowMs)) days.set(day, 'claims-off');
  return days;
}

/** Whether no user can be expected to check in today any more: it is not possible now, or was not for so long that the UTC day breaks no streak. */
export function isTodayHindered({ claimsOff, outages }: Hindrances, nowMs: number): boolean {
  const spans = [...claimsOff, ...outages];
  return spans.some(({ toMs }) => toMs === null || toMs > nowMs) || isExcusedByNow(spans, nowMs);
}

/**
 * The UTC days, of those that are over, in which check-ins were off for more than half of the day, or for 30 minutes or more of its
 * last three hours. Spans may overlap and come in any order.
 * @returns their keys, in order
 */
export function daysOff(spans: readonly OffSpan[], nowMs: number): string[] {
  const apart = apartFrom(spans, nowMs);
  const today = dayStartMs(nowMs);
  const found = new Set<string>();
  for (const { fromMs, toMs } of apart) {
    for (let day = dayStartMs(Math.max(fromMs, nowMs - LOOK_BACK_MS)); day < today && day < toMs; day += DAY_MS) {
      if (isOffForLong(apart, day)) found.add(dayKey(day));
    }
  }
  return [...found].sort();
}

/** Whether the UTC day of a time will break no streak: check-ins have been off in it for as long as that takes. */
function isExcusedByNow(spans: readonly OffSpan[], nowMs: number): boolean {
  return isOffForLong(apartFrom(spans, nowMs), dayStartMs(nowMs));
}

function isOffForLong(apart: readonly Closed[], dayMs: number): boolean {
  const endMs = dayMs + DAY_MS;
  return (
    offWithin(apart, dayMs, endMs) > EXCUSED_DAY_MS ||
    offWithin(apart, endMs - LAST_HOURS_MS, endMs) >= EXCUSED_LAST_HOURS_MS
  );
}

/**
 * Whether a streak still stands on a day: its last check-in was on that day or the day before, or only excused days lie between.
 * @param lastKey day of the last check-in @param todayKey the day in question
 */
export function streakStands(lastKey: string, todayKey: string, excused: ExcusedDays): boolean {
  let needed = previousDayKey(todayKey);
  while (lastKey < needed && excused.has(needed)) needed = previousDayKey(needed);
  return lastKey >= needed;
}

interface Closed {
  fromMs: number;
  toMs: number;
}

/** The same time as stretches that do not overlap, in order, up to now. */
function apartFrom(spans: readonly OffSpan[], nowMs: number): Closed[] {
  const sorted = spans
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs ?? nowMs, nowMs) }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((one, other) => one.fromMs - other.fromMs);
  const apart: Closed[] = [];
  for (const span of sorted) {
    const last = apart.at(-1);
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else apart.push({ ...span });
  }
  return apart;
}

function offWithin(apart: readonly Closed[], fromMs: number, toMs: number): number {
  return apart.reduce((sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)), 0);
}
