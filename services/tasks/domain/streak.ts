import { checkinReward } from '@cord/contracts/rules/bonuses';
import { dayKey, nextDayStartMs } from '@cord/contracts/rules/days';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { type ExcusedDays, isStreakUnbroken } from '@cord/contracts/rules/streak';
import type { OutboxCredit } from '@cord/kit/outbox/items';
import type { Person } from './record.js';

/** One check-in. */
export interface CheckinDay {
  dayKey: string;
  rewardMicro: bigint;
  bonusMicro: bigint;
  streak: number;
}

/** A user's check-ins. One document; a check-in is a compare-and-set on seq, so that concurrent calls credit once. */
export interface Streak {
  userId: string;
  seq: bigint;
  streak: number;
  longestStreak: number;
  totalCheckIns: number;
  totalMicro: bigint;
  /** Newest first, at most a year; day keys only increase. */
  days: CheckinDay[];
}

const DAYS_KEPT = 366;

export function newStreak(userId: string): Streak {
  return { userId, seq: 0n, streak: 0, longestStreak: 0, totalCheckIns: 0, totalMicro: 0n, days: [] };
}

/**
 * Whether the UTC day of `nowMs` or a later day has its check-in (services/contracts/rules/README.md#check-in). Around midnight
 * another replica's clock may be ahead, and the day of the last check-in never goes back (services/mining/ledger/README.md#credit).
 */
export function checkedInToday(streak: Streak, nowMs: number): boolean {
  const last = streak.days[0]?.dayKey;
  return last !== undefined && last >= dayKey(nowMs);
}

/** Returns the current streak: 0 once a whole day was missed that is not excused. */
export function currentStreak(streak: Streak, excused: ExcusedDays, nowMs: number): number {
  const last = streak.days[0]?.dayKey;
  return last !== undefined && isStreakUnbroken(last, dayKey(nowMs), excused) ? streak.streak : 0;
}

/** Returns reward and bonus of today's check-in by the current rule book, or as paid, micro-CORD. */
export function rewardToday(
  book: RuleBook,
  streak: Streak,
  excused: ExcusedDays,
  nowMs: number,
): { rewardMicro: bigint; bonusMicro: bigint } {
  const made = checkedInToday(streak, nowMs) ? streak.days[0] : undefined;
  return made ?? checkinReward(book, currentStreak(streak, excused, nowMs) + 1);
}

/** Returns when the next check-in opens, ms: now if today's is open, else the UTC midnight after the last check-in or after the return. */
export function nextCheckinAtMs(streak: Streak, person: Person | null, nowMs: number): number {
  const last = streak.days[0];
  if (last && checkedInToday(streak, nowMs)) return nextDayStartMs(Date.parse(last.dayKey));
  return checkinRefusal(streak, person, nowMs) === 'returning' ? nextDayStartMs(person?.joinedAtMs ?? nowMs) : nowMs;
}

/**
 * Returns why a check-in is refused now; null when it is allowed. A user who returns after an erasure has no check-in
 * on that day: the deleted account may have had it (services/README.md#erasure).
 * @param person null before `user.registered` has arrived
 */
export function checkinRefusal(
  streak: Streak,
  person: Person | null,
  nowMs: number,
): 'already-checked-in' | 'not-known-yet' | 'returning' | null {
  if (checkedInToday(streak, nowMs)) return 'already-checked-in';
  if (!person) return 'not-known-yet';
  const { returning, joinedAtMs } = person;
  return returning && joinedAtMs !== null && dayKey(joinedAtMs) >= dayKey(nowMs) ? 'returning' : null;
}

/** Returns the streak after today's check-in, and its credit. The caller has checked `checkinRefusal`. */
export function checkedIn(
  book: RuleBook,
  streak: Streak,
  excused: ExcusedDays,
  nowMs: number,
): { streak: Streak; day: CheckinDay; credit: OutboxCredit } {
  const newLength = currentStreak(streak, excused, nowMs) + 1;
  const reward = checkinReward(book, newLength);
  const day: CheckinDay = { dayKey: dayKey(nowMs), ...reward, streak: newLength };
  const amountMicro = reward.rewardMicro + reward.bonusMicro;
  return {
    day,
    streak: {
      ...streak,
      streak: newLength,
      longestStreak: Math.max(streak.longestStreak, newLength),
      totalCheckIns: streak.totalCheckIns + 1,
      totalMicro: streak.totalMicro + amountMicro,
      days: [day, ...streak.days].slice(0, DAYS_KEPT),
    },
    credit: {
      kind: 'credit',
      key: `checkin:${streak.userId}:${day.dayKey}`,
      userId: streak.userId,
      source: 'checkin',
      amountMicro,
      reason: `Daily check-in, day ${newLength} of the streak`,
    },
  };
}
