import { checkinReward } from '@cord/contracts/rules/bonuses';
import { dayKey, nextDayStartMs } from '@cord/contracts/rules/days';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { type ExcusedDays, streakStands } from '@cord/contracts/rules/streak';
import type { OutboxCredit } from '@cord/kit/outbox/items';
import type { Person } from './record.js';

/** One check-in. */
export interface CheckinDay {
  dayKey: string;
  rewardMicro: bigint;
  bonusMicro: bigint;
  streak: number;
}

/** A user's check-ins. One document; a check-in is a compare-and-set on seq, so that two at once credit once. */
export interface Streak {
  userId: string;
  seq: bigint;
  streak: number;
  longestStreak: number;
  totalCheckIns: number;
  totalMicro: bigint;
  /** Newest first, at most a year; their keys only ever rise. */
  days: CheckinDay[];
}

const DAYS_KEPT = 366;

export function newStreak(userId: string): Streak {
  return { userId, seq: 0n, streak: 0, longestStreak: 0, totalCheckIns: 0, totalMicro: 0n, days: [] };
}

/**
 * Whether the UTC day of `nowMs` has its check-in (services/contracts/rules/README.md#check-in), or a later day has: the clock of another replica may be
 * ahead of ours around midnight, and the day of the last check-in never goes back (services/mining/ledger/README.md#credit).
 */
export function checkedInToday(streak: Streak, nowMs: number): boolean {
  const last = streak.days[0]?.dayKey;
  return last !== undefined && last >= dayKey(nowMs);
}

/** The streak as it stands: 0 once a whole day was missed that is not excused. */
export function currentStreak(streak: Streak, excused: ExcusedDays, nowMs: number): number {
  const last = streak.days[0]?.dayKey;
  return last !== undefined && streakStands(last, dayKey(nowMs), excused) ? streak.streak : 0;
}

/** What today's check-in pays by the book of now, or paid: reward and bonus, micro-CORD. */
export function rewardToday(
  book: RuleBook,
  streak: Streak,
  excused: ExcusedDays,
  nowMs: number,
): { rewardMicro: bigint; bonusMicro: bigint } {
  const made = checkedInToday(streak, nowMs) ? streak.days[0] : undefined;
  return made ?? checkinReward(book, currentStreak(streak, excused, nowMs) + 1);
}

/** When the next check-in opens: now if today's is open, else at the UTC midnight after the last one's day or after the return, ms. */
export function nextCheckinAtMs(streak: Streak, person: Person | null, nowMs: number): number {
  const last = streak.days[0];
  if (last && checkedInToday(streak, nowMs)) return nextDayStartMs(Date.parse(last.dayKey));
  return checkinRefusal(streak, person, nowMs) === 'returning' ? nextDayStartMs(person?.joinedAtMs ?? nowMs) : nowMs;
}

/**
 * Why a check-in is refused now; null when it may be made. Who comes back after an erasure has none on the day of the return: the
 * account that was deleted may have had it (services/README.md#erasure).
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

/** The streak after today's check-in, and the credit that it earns. The caller has checked `checkinRefusal`. */
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
