import { checkinReward } from '@cord/contracts/rules/bonuses';
import { dayKey, nextDayStartMs, previousDayKey } from '@cord/contracts/rules/days';
import type { PromisedCredit } from './record.js';

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
  /** Newest first, at most a year. */
  days: CheckinDay[];
}

const DAYS_KEPT = 366;

export function newStreak(userId: string): Streak {
  return { userId, seq: 0n, streak: 0, longestStreak: 0, totalCheckIns: 0, totalMicro: 0n, days: [] };
}

/** Whether the UTC day of `nowMs` has its check-in (decisions, Check-in). */
export function checkedInToday(streak: Streak, nowMs: number): boolean {
  return streak.days[0]?.dayKey === dayKey(nowMs);
}

/** The streak as it stands: 0 once a whole day was missed. */
export function currentStreak(streak: Streak, nowMs: number): number {
  const today = dayKey(nowMs);
  const last = streak.days[0]?.dayKey;
  return last === today || last === previousDayKey(today) ? streak.streak : 0;
}

/** What today's check-in pays, or paid: reward and bonus, micro-CORD. */
export function rewardToday(streak: Streak, nowMs: number): { rewardMicro: bigint; bonusMicro: bigint } {
  const made = checkedInToday(streak, nowMs) ? streak.days[0] : undefined;
  return made ?? checkinReward(currentStreak(streak, nowMs) + 1);
}

/** When the next check-in opens: now if today's is open, else at the next UTC midnight, ms. */
export function nextCheckinAtMs(streak: Streak, nowMs: number): number {
  return checkedInToday(streak, nowMs) ? nextDayStartMs(nowMs) : nowMs;
}

/** The streak after today's check-in, and the credit it promises. The caller has checked `checkedInToday`. */
export function checkedIn(streak: Streak, nowMs: number): { streak: Streak; day: CheckinDay; credit: PromisedCredit } {
  const newLength = currentStreak(streak, nowMs) + 1;
  const reward = checkinReward(newLength);
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
      key: `checkin:${streak.userId}:${day.dayKey}`,
      userId: streak.userId,
      source: 'checkin',
      amountMicro,
      reason: `Daily check-in, day ${newLength} of the streak`,
    },
  };
}
