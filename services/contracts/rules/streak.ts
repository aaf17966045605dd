import { DAY_MS, dayKey, dayStartMs, previousDayKey } from './days.js';

/** A time span in which something was off, ms since epoch; `toMs` is null while it still is. */
export interface OffSpan {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Why no user could be expected to check in on a UTC day. */
export const EXCUSES = ['claims-off', 'outage'] as const;
type Excuse = (typeof EXCUSES)[number];

/** Keys of the UTC days that break no streak, with their reasons. */
export type ExcusedDays = ReadonlyMap<string, Excuse>;

/** A UTC day that is off for longer than this is excused, ms. */
const EXCUSED_DAY_MS = DAY_MS / 2;
/** The last part of a UTC day, when most late check-ins happen, ms; and how much of it off excuses the day, ms. */
export const LAST_HOURS_MS = 3 * 3_600_000;
export const EXCUSED_LAST_HOURS_MS = 30 * 60_000;

/** How far back days are examined, ms: as long as check-ins are kept. */
const LOOK_BACK_MS = 366 * DAY_MS;

/** When no user could check in: while claims were switched off, and during outages of ours. */
export interface Hindrances {
  readonly claimsOff: readonly OffSpan[];
  readonly outages: readonly OffSpan[];
}

/** Returns the past UTC days that break no streak. The switch is the reason when its time alone suffices. */
export function excusedDays({ claimsOff, outages }: Hindrances, nowMs: number): ExcusedDays {
  const days = new Map<string, Excuse>();
  for (const day of daysOff([...claimsOff, ...outages], nowMs)) days.set(day, 'outage');
  for (const day of daysOff(claimsOff, nowMs)) days.set(day, 'claims-off');
  return days;
}

/** Whether no user can be expected to check in today: it is impossible now, or was for so long that the UTC day breaks no streak. */
export function isTodayHindered({ claimsOff, outages }: Hindrances, nowMs: number): boolean {
  const spans = [...claimsOff, ...outages];
  return spans.some(({ toMs }) => toMs === null || toMs > nowMs) || isExcusedByNow(spans, nowMs);
}

/**
 * Returns the past UTC days in which check-ins were off for more than half of the day, or for at least 30 minutes of its last three
 * hours. Spans may overlap and come in any order.
 * @returns their keys, in order
 */
export function daysOff(spans: readonly OffSpan[], nowMs: number): string[] {
  const apart = mergeSpans(spans, nowMs);
  const today = dayStartMs(nowMs);
  const found = new Set<string>();
  for (const { fromMs, toMs } of apart) {
    for (let day = dayStartMs(Math.max(fromMs, nowMs - LOOK_BACK_MS)); day < today && day < toMs; day += DAY_MS) {
      if (isOffForLong(apart, day)) found.add(dayKey(day));
    }
  }
  return [...found].sort();
}

/** Whether check-ins have been off long enough for the current UTC day to break no streak. */
function isExcusedByNow(spans: readonly OffSpan[], nowMs: number): boolean {
  return isOffForLong(mergeSpans(spans, nowMs), dayStartMs(nowMs));
}

function isOffForLong(apart: readonly Closed[], dayMs: number): boolean {
  const endMs = dayMs + DAY_MS;
  return (
    offMsWithin(apart, dayMs, endMs) > EXCUSED_DAY_MS ||
    offMsWithin(apart, endMs - LAST_HOURS_MS, endMs) >= EXCUSED_LAST_HOURS_MS
  );
}

/**
 * Whether a streak still holds on a day: its last check-in was on that day or the day before, or only excused days lie between.
 * @param lastKey day of the last check-in @param todayKey the day in question
 */
export function isStreakUnbroken(lastKey: string, todayKey: string, excused: ExcusedDays): boolean {
  let needed = previousDayKey(todayKey);
  while (lastKey < needed && excused.has(needed)) needed = previousDayKey(needed);
  return lastKey >= needed;
}

interface Closed {
  fromMs: number;
  toMs: number;
}

/** Merges the spans into non-overlapping ones, in order, up to now. */
function mergeSpans(spans: readonly OffSpan[], nowMs: number): Closed[] {
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

function offMsWithin(apart: readonly Closed[], fromMs: number, toMs: number): number {
  return apart.reduce((sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)), 0);
}
