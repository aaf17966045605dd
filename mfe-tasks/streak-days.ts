import { checkinReward } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayKey, dayStartMs, dayStartOf, weekStartMs } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import type { CheckedDay, CheckinStatus } from './use-checkin';

/** Marked streak lengths; they pay nothing extra. */
export const MILESTONES = [7, 20, 50, 100] as const;
/** Returns the day of a streak from which a day pays the maximum. */
export function fullFromDay({ streakStepMicro, streakMostMicro }: RuleBook): number {
  return streakStepMicro === 0 ? 1 : Math.max(1, Math.ceil(streakMostMicro / streakStepMicro));
}

const WEEKS = 5;
const WEEK_DAYS = 7;

/** `before`: the account did not exist yet; `excused`: no check-in, but the streak continues. */
export type DayState = 'done' | 'today' | 'missed' | 'excused' | 'next' | 'before';

export interface StreakDay {
  /** UTC day, 2026-11-21. */
  key: string;
  /** Start, ms since epoch. */
  startMs: number;
  state: DayState;
  /** Reason of an excused day; else null. */
  excuse: string | null;
  isToday: boolean;
  /** CORD that it paid, or will pay if every day is kept; null when it pays nothing. */
  pays: number | null;
  /** Milestone that the present streak reaches on this day. */
  milestone: number | null;
}

/** Returns the pay of a check-in on that day of a streak, CORD. */
export function payOf(book: RuleBook, day: number): number {
  const { rewardMicro, bonusMicro } = checkinReward(book, day);
  return microToNumber(rewardMicro + bonusMicro);
}

/** Returns the first day of the present streak, or today if it begins now, ms since epoch. Excused days without a check-in do not count. */
function streakStartMs(status: CheckinStatus, history: readonly CheckedDay[]): number {
  const { dayKey: today, currentStreak, canCheckIn } = status;
  const skipped = skippedDays(status, history);
  let atMs = dayStartOf(today);
  for (let left = canCheckIn ? currentStreak : currentStreak - 1; left > 0; ) {
    atMs -= DAY_MS;
    if (!skipped.has(dayKey(atMs))) left -= 1;
  }
  return atMs;
}

/** Returns the excused days without a check-in, with their reasons by day key. */
function skippedDays({ excused }: CheckinStatus, history: readonly CheckedDay[]): ReadonlyMap<string, string> {
  const done = new Set(history.map(({ dayKey: key }) => key));
  return new Map(excused.filter(({ dayKey: key }) => !done.has(key)).map(({ dayKey: key, reason }) => [key, reason]));
}

/** Returns the number of streak days up to and including a day: 1 on its first. */
function dayOfStreak(atMs: number, startMs: number, skipped: ReadonlyMap<string, string>): number {
  const between = [...skipped.keys()].filter((key) => dayStartOf(key) > startMs && dayStartOf(key) <= atMs);
  return (atMs - startMs) / DAY_MS + 1 - between.length;
}

/**
 * Returns five weeks from Monday to Sunday, the present one last.
 * @param joinedMs time the account was created, ms since epoch
 */
export function fiveWeeks(
  book: RuleBook,
  status: CheckinStatus,
  history: readonly CheckedDay[],
  joinedMs: number,
): StreakDay[][] {
  const todayMs = dayStartOf(status.dayKey);
  const firstMs = weekStartMs(todayMs) - (WEEKS - 1) * WEEK_DAYS * DAY_MS;
  const paid = new Map(history.map((day) => [day.dayKey, day.rewardAmount + day.bonusAmount]));
  const startMs = streakStartMs(status, history);
  const skipped = skippedDays(status, history);
  const day = (index: number): StreakDay => {
    const atMs = firstMs + index * DAY_MS;
    const key = dayKey(atMs);
    const excuse = atMs < dayStartMs(joinedMs) ? null : (skipped.get(key) ?? null);
    const ofStreak = dayOfStreak(atMs, startMs, skipped);
    const isToday = atMs === todayMs;
    const plain = stateOf(status, paid.has(key), atMs, todayMs, joinedMs);
    const state = plain === 'missed' && excuse !== null ? 'excused' : plain;
    const ahead = state === 'today' || state === 'next' || state === 'done';
    const pays =
      paid.get(key) ?? (isToday ? status.nextReward + status.nextBonus : ahead ? payOf(book, ofStreak) : null);
    const marks: readonly number[] = MILESTONES;
    const milestone = state !== 'excused' && marks.includes(ofStreak) ? ofStreak : null;
    return { key, startMs: atMs, isToday, state, excuse: state === 'excused' ? excuse : null, pays, milestone };
  };
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: WEEK_DAYS }, (__, index) => day(week * WEEK_DAYS + index)),
  );
}

/**
 * Returns how many of the five weeks `sinceJoined` keeps, before their days are known.
 * @param joinedMs time the account was created, ms since epoch
 * @param nowMs server time, ms since epoch
 */
export function weeksSinceJoined(joinedMs: number, nowMs: number): number {
  const passed = (weekStartMs(nowMs) - weekStartMs(joinedMs)) / (WEEK_DAYS * DAY_MS);
  return Math.min(WEEKS, Math.max(0, passed) + 1);
}

/** Returns the weeks in which the account existed for at least a day. */
export function sinceJoined(weeks: readonly StreakDay[][]): StreakDay[][] {
  return weeks.filter((week) => week.some(({ state }) => state !== 'before'));
}

function stateOf(
  { canCheckIn }: CheckinStatus,
  paid: boolean,
  atMs: number,
  todayMs: number,
  joinedMs: number,
): DayState {
  if (paid) return 'done';
  if (atMs === todayMs) return canCheckIn ? 'today' : 'done';
  if (atMs > todayMs) return 'next';
  return atMs < dayStartMs(joinedMs) ? 'before' : 'missed';
}

/** A piece of cord in one week, in days from its Monday: 0.5 is the middle of Monday. */
export interface Run {
  from: number;
  to: number;
  /** It fades towards a neighbouring week, or where it is parted. */
  fadesIn: boolean;
  fadesOut: boolean;
}

const KEPT: ReadonlySet<DayState | undefined> = new Set<DayState>(['done', 'today', 'excused']);
const kept = (day: StreakDay | undefined) => KEPT.has(day?.state);

/** Returns the cord pieces between kept days of a week, also over the line break; towards a missed day the cord is parted. */
export function runsOf(weeks: readonly StreakDay[][], week: number): Run[] {
  const days = weeks[week] ?? [];
  const before = kept(weeks[week - 1]?.[WEEK_DAYS - 1]);
  const after = weeks[week + 1]?.[0];
  const runs: Run[] = [];
  for (let column = 0; column < WEEK_DAYS; column += 1) {
    if (!kept(days[column])) continue;
    const first = column;
    while (kept(days[column + 1])) column += 1;
    const fadesIn = first === 0 && before;
    const next = column === WEEK_DAYS - 1 ? after : days[column + 1];
    const goesOn = kept(next);
    const parted = next?.state === 'missed';
    const from = fadesIn ? 0 : first + 0.5;
    const to = column + (goesOn ? 1 : parted ? 0.95 : 0.5);
    if (to > from) runs.push({ from, to, fadesIn, fadesOut: goesOn || parted });
  }
  return runs;
}

export interface Milestone {
  day: number;
  /** Time it is or was reached with every day kept, ms since epoch. */
  atMs: number;
  /** Check-ins until then, 0 when it is reached. */
  toGo: number;
  /** Time an earlier streak reached it, ms since epoch; null when older than the history, undefined when none did. */
  beforeAtMs: number | null | undefined;
}

/** Returns the milestones of the present streak, and which an earlier streak reached. */
export function milestonesOf(status: CheckinStatus, history: readonly CheckedDay[]): Milestone[] {
  const startMs = streakStartMs(status, history);
  const skipped = skippedDays(status, history);
  return MILESTONES.map((day) => {
    const toGo = Math.max(0, day - status.currentStreak);
    const reached = toGo > 0 && status.stats.longestStreak >= day;
    const on = reached ? history.find(({ streak }) => streak === day) : undefined;
    const beforeAtMs = reached ? (on === undefined ? null : dayStartOf(on.dayKey)) : undefined;
    return { day, atMs: startOfDay(day, startMs, skipped), toGo, beforeAtMs };
  });
}

/** Returns the start of the nth day of the streak, ms since epoch. */
function startOfDay(day: number, startMs: number, skipped: ReadonlyMap<string, string>): number {
  let atMs = startMs;
  for (let left = day - 1; left > 0; ) {
    atMs += DAY_MS;
    if (!skipped.has(dayKey(atMs))) left -= 1;
  }
  return atMs;
}
