import { checkinReward } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { dateFormat } from '@cord/sdk';
import { formatCount } from '@cord/ui';
import type { Knot } from './checkin-cord';
import { TEXTS } from './texts';
import type { CheckedDay, CheckinStatus } from './use-checkin';

const DAYS_SHOWN = 7;
const weekday = dateFormat({ weekday: 'short', timeZone: 'UTC' });

/**
 * Seven days on a cord, today last; somebody who joined within them starts with the first day and sees what comes.
 * @param joinedMs when the account came to be, ms since epoch
 */
export function checkinKnots(status: CheckinStatus, history: readonly CheckedDay[], joinedMs: number): Knot[] {
  const todayMs = Date.parse(`${status.dayKey}T00:00:00Z`);
  const joinedDayMs = Date.parse(`${dayKey(joinedMs)}T00:00:00Z`);
  const firstMs = Math.min(todayMs, Math.max(todayMs - (DAYS_SHOWN - 1) * DAY_MS, joinedDayMs));
  const paid = new Map(history.map((day) => [day.dayKey, day.rewardAmount + day.bonusAmount]));
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const dayMs = firstMs + index * DAY_MS;
    const daysAhead = (dayMs - todayMs) / DAY_MS;
    return knot(status, dayMs, daysAhead, paid.get(dayKey(dayMs)));
  });
}

function knot(status: CheckinStatus, dayMs: number, daysAhead: number, paid: number | undefined): Knot {
  const t = TEXTS.get();
  const isToday = daysAhead === 0;
  const base = { key: dayKey(dayMs), label: isToday ? t.today : weekday.format(dayMs), isToday };
  if (paid !== undefined) return { ...base, state: 'done', note: gain(paid) };
  if (isToday && !status.canCheckIn)
    return { ...base, state: 'done', note: gain(status.nextReward + status.nextBonus) };
  if (isToday) return { ...base, state: 'today', note: gain(status.nextReward + status.nextBonus) };
  if (daysAhead < 0) return { ...base, state: 'missed', note: t.missed };
  return { ...base, state: 'next', note: gain(payOf(status.currentStreak + daysAhead + (status.canCheckIn ? 1 : 0))) };
}

/** What a check-in at that streak pays, CORD. */
function payOf(streak: number): number {
  const { rewardMicro, bonusMicro } = checkinReward(streak);
  return microToNumber(rewardMicro + bonusMicro);
}

function gain(cord: number): string {
  return `+${formatCount(cord)}`;
}
