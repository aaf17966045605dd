import { checkinEndpoints } from '@cord/contracts/http/checkin';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import type { Http } from '@cord/kit/http';
import type { Rules } from '@cord/kit/rules';
import type { Switches } from '@cord/kit/switches';
import type { Claims } from '../claims.js';
import { checkinRefusal, currentStreak, nextCheckinAtMs, rewardToday } from '../domain/streak.js';
import { presentCredit } from './tasks.js';

/** How far back excused days are returned, ms: as long as check-ins are kept. */
const EXCUSED_SHOWN_MS = 366 * DAY_MS;

/** Registers the routes of the daily check-in (services/contracts/rules/README.md#check-in). */
export function checkinRoutes(
  http: Http,
  { claims, switches, rules }: { claims: Claims; switches: Pick<Switches, 'requireOn'>; rules: Pick<Rules, 'book'> },
): void {
  http.route(checkinEndpoints.status, async ({ params, now }) => {
    const [streak, person, excused] = await Promise.all([
      claims.streakOf(params.userId),
      claims.personOf(params.userId),
      claims.excused(now),
    ]);
    const refusal = checkinRefusal(streak, person, now);
    const next = rewardToday(rules.book(now), streak, excused, now);
    return {
      // Before `user.registered` has arrived the button is shown; the response to the call decides.
      canCheckIn: refusal === null || refusal === 'not-known-yet',
      currentStreak: currentStreak(streak, excused, now),
      nextCheckInTime: new Date(nextCheckinAtMs(streak, person, now)).toISOString(),
      dayKey: dayKey(now),
      nextReward: microToNumber(next.rewardMicro),
      nextBonus: microToNumber(next.bonusMicro),
      stats: { longestStreak: streak.longestStreak, totalCheckIns: streak.totalCheckIns },
      excused: presentExcused(excused, now),
    };
  });

  http.route(checkinEndpoints.perform, async ({ user, now }) => {
    await switches.requireOn('claims');
    const { day, credit } = await claims.checkIn(user.id);
    return {
      success: true as const,
      rewardAmount: microToNumber(day.rewardMicro),
      bonusAmount: microToNumber(day.bonusMicro),
      newStreak: day.streak,
      newBalance: credit ? microToNumber(credit.balanceMicro) : null,
      pending: credit === null,
      // The day may turn during the call.
      updatedUser: {
        id: user.id,
        daily_checkin_claimed: day.dayKey === dayKey(now),
        serverTime: new Date(now).toISOString(),
        ...presentCredit(credit),
      },
    };
  });

  http.route(checkinEndpoints.history, async ({ params, query, now }) => {
    const { days } = await claims.streakOf(params.userId);
    const since = dayKey(now - (query.days - 1) * DAY_MS);
    return days
      .filter((day) => day.dayKey >= since)
      .map((day) => ({
        dayKey: day.dayKey,
        rewardAmount: microToNumber(day.rewardMicro),
        bonusAmount: microToNumber(day.bonusMicro),
        streak: day.streak,
      }));
  });

  http.route(checkinEndpoints.stats, async ({ params, now }) => {
    const [streak, excused] = await Promise.all([claims.streakOf(params.userId), claims.excused(now)]);
    return {
      currentStreak: currentStreak(streak, excused, now),
      longestStreak: streak.longestStreak,
      totalCheckIns: streak.totalCheckIns,
      totalEarned: microToNumber(streak.totalMicro),
    };
  });
}

/** Returns excused days, oldest first, as far back as check-ins are kept. */
export function presentExcused(excused: ExcusedDays, nowMs: number) {
  return [...excused]
    .filter(([day]) => day >= dayKey(nowMs - EXCUSED_SHOWN_MS))
    .map(([day, reason]) => ({ dayKey: day, reason }))
    .sort((one, other) => (one.dayKey < other.dayKey ? -1 : 1));
}
