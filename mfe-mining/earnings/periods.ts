import type * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import type { ResponseOf } from '@cord/contracts/calls';
import type { CheckinStatus } from '@cord/contracts/http/checkin';
import type { EarningsBucket, EarningsOverTime } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey, dayStartOf } from '@cord/contracts/rules/days';

/** Known check-ins, and the streak as Tasks counts it. */
export interface KnownStreak extends Pick<CheckinStatus, 'currentStreak' | 'canCheckIn' | 'excused'> {
  kept: readonly Pick<ResponseOf<typeof checkinEndpoints.history>[number], 'dayKey' | 'streak'>[];
}

/** State of a day in the streak; an excused day has no check-in and breaks no streak. */
export type StreakMark = 'kept' | 'missed' | 'excused' | 'open';

/** A day or month of the chart and the table. */
export interface Period {
  key: string;
  bucket: EarningsBucket;
  /** Start, ms. */
  startMs: number;
  /** End or now, ms. */
  endMs: number;
  /** Time a node could run in it, since the account was opened, ms. */
  lastedMs: number;
  /** Whether it is in progress. */
  present: boolean;
  /** Whether it is before the account existed. */
  before: boolean;
  /** Null for months, before the account was opened, and while unknown. */
  mark: StreakMark | null;
  /** Day number in the streak, if kept. */
  streakDay: number | null;
}

interface Known {
  /** Null while unknown. */
  streak: KnownStreak | null;
  /** Time the account was opened, ms. */
  joinedMs: number;
  /** ms */
  nowMs: number;
}

/** Returns the buckets with all data to render. */
export function periodsOf({ unit, buckets }: EarningsOverTime, { streak, joinedMs, nowMs }: Known): Period[] {
  const streaks = new Map(streak?.kept.map((day) => [day.dayKey, day.streak]));
  const excused = new Set(streak?.excused.map((day) => day.dayKey));
  const joined = dayKey(joinedMs).slice(0, unit === 'day' ? undefined : 'yyyy-mm'.length);
  return buckets.map((bucket) => {
    const { key } = bucket;
    const startMs = unit === 'day' ? dayStartOf(key) : dayStartOf(`${key}-01`);
    const nextMs = unit === 'day' ? startMs + DAY_MS : nextMonthMs(startMs);
    const present = startMs <= nowMs && nowMs < nextMs;
    const endMs = Math.min(nextMs, Math.max(startMs, nowMs));
    const before = key < joined && bucket.total === 0;
    const streakDay = streaks.get(key) ?? null;
    const missed = present ? 'open' : excused.has(key) ? 'excused' : 'missed';
    const mark = streak === null || unit === 'month' || before ? null : streakDay === null ? missed : 'kept';
    const lastedMs = Math.max(0, endMs - Math.max(startMs, Math.min(joinedMs, endMs)));
    return { key, bucket, startMs, endMs, lastedMs, present, before, mark, streakDay };
  });
}

function nextMonthMs(startMs: number): number {
  const start = new Date(startMs);
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
}
