import { z } from 'zod';
import * as at from '../addresses/checkin.js';
import { endpoint } from '../endpoint.js';
import { openEnum } from '../events/envelope.js';
import { EXCUSES } from '../rules/streak.js';
import { CHECKIN_HISTORY_DEFAULT_DAYS } from '../rules/timings.js';
import { cordAmount, day, time, userIdBody, userIdParams, wholeNumber } from './fields.js';
import { updatedUser } from './users.js';

const checkinStatus = z.object({
  canCheckIn: z.boolean(),
  currentStreak: z.number().int(),
  nextCheckInTime: time,
  /** The current UTC day by the server's clock. */
  dayKey: day,
  /** Reward of a check-in made now, CORD. */
  nextReward: cordAmount,
  nextBonus: cordAmount,
  stats: z.object({ longestStreak: z.number().int(), totalCheckIns: z.number().int() }),
  /** Recent days that break nobody's streak, oldest first. */
  excused: z.array(z.object({ dayKey: day, reason: openEnum(EXCUSES) })),
});

export type CheckinStatus = z.infer<typeof checkinStatus>;

export const checkinEndpoints = {
  status: endpoint('tasks', at.status, {
    params: userIdParams,
    response: checkinStatus,
    summary: 'Whether today is still open, and the streak',
  }),
  perform: endpoint('tasks', at.perform, {
    body: userIdBody,
    response: z.object({
      success: z.literal(true),
      rewardAmount: cordAmount,
      bonusAmount: cordAmount,
      newStreak: z.number().int(),
      newBalance: cordAmount.nullable(),
      updatedUser,
      pending: z.boolean(),
    }),
    summary: 'Check in for today, once',
    rateClass: 'claim',
  }),
  history: endpoint('tasks', at.history, {
    params: userIdParams,
    query: z.strictObject({ days: wholeNumber(CHECKIN_HISTORY_DEFAULT_DAYS, 366) }),
    response: z.array(
      z.object({ dayKey: day, rewardAmount: cordAmount, bonusAmount: cordAmount, streak: z.number().int() }),
    ),
    summary: 'Check-ins of the last days, newest first',
  }),
  stats: endpoint('tasks', at.stats, {
    params: userIdParams,
    response: z.object({
      currentStreak: z.number().int(),
      longestStreak: z.number().int(),
      totalCheckIns: z.number().int(),
      totalEarned: cordAmount,
    }),
    summary: 'Streaks and sums',
  }),
  outages: endpoint('tasks', at.outages, {
    response: z.object({
      /** Outages of ours that prevented check-ins, newest first. */
      outages: z.array(
        z.object({
          from: time,
          /** Null while the outage lasts. */
          to: time.nullable(),
          /** UTC days that the outage overlapped and that break no streak. */
          days: z.array(day),
        }),
      ),
      /** UTC days that break no streak, newest first. */
      days: z.array(
        z.object({
          dayKey: day,
          reason: openEnum(EXCUSES),
          /** Users without a check-in on that day whose streak it preserved; null until counted. */
          kept: z.number().int().nullable(),
        }),
      ),
    }),
    summary: 'Admins: when check-ins could not be made, and the days that break no streak for it',
  }),
} as const;
