import { z } from 'zod';
import * as at from '../addresses/leaderboard.js';
import { endpoint } from '../endpoint.js';
import { PERIODS } from '../rules/days.js';
import {
  LEADERBOARD_DEFAULT,
  LEADERBOARD_MAX,
  LEADERBOARD_PERIOD_DEFAULT,
  LEADERBOARD_SEARCH_MIN,
} from '../rules/timings.js';
import { cordAmount, id128, idParams } from './fields.js';

const period = z.enum(PERIODS);
export type Period = z.infer<typeof period>;

const leaderboardEntry = z.object({
  rank: z.number().int(),
  userId: id128,
  username: z.string(),
  avatar: z.string().nullable(),
  /** Everything credited to the miner, whatever the source. */
  total_earned: cordAmount,
  account_age: z.number(),
  is_node_active: z.boolean(),
  daily_earnings: cordAmount,
  weekly_earnings: cordAmount,
  monthly_earnings: cordAmount,
  /** CORD counted by the requested ranking. */
  period_earned: cordAmount,
  hasbadgeofhonor: z.boolean(),
  multiplier: z.number(),
});
export type LeaderboardEntry = z.infer<typeof leaderboardEntry>;

const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, 'must be a whole number of at least 1')
  .transform(Number)
  .refine((value) => value <= LEADERBOARD_MAX, `must be at most ${LEADERBOARD_MAX}`)
  .optional();

/** A miner's ranks. */
const minerPlaces = z.object({
  /** One per period; the rank is null without earnings in it. */
  ranks: z.array(z.object({ period, rank: z.number().int().nullable(), earned: cordAmount })),
  /** All-time neighbours, the miner included; empty while unranked. */
  neighbours: z.array(leaderboardEntry),
});
export type MinerPlaces = z.infer<typeof minerPlaces>;

/** Statistics of the whole site. */
export const globalStats = z.object({
  activeMiners: z.number().int(),
  totalMiners: z.number().int(),
  /** CORD that the nodes of all miners accrued. Excludes other credits (tasks, check-ins, bonuses, claims). */
  totalMined: cordAmount,
  onlineNow: z.number().int(),
});
export type GlobalStats = z.infer<typeof globalStats>;

export const leaderboardEndpoints = {
  list: endpoint('leaderboard', at.list, {
    query: z
      .strictObject({
        limit,
        period: period.optional(),
        search: z.string().trim().min(LEADERBOARD_SEARCH_MIN).max(64).optional(),
      })
      .transform((query) => ({
        period: query.period ?? ('all-time' as const),
        search: query.search,
        limit: query.limit ?? (query.period || query.search ? LEADERBOARD_PERIOD_DEFAULT : LEADERBOARD_DEFAULT),
      })),
    response: z.array(leaderboardEntry),
    summary: 'A ranking from the top, or the true ranks of a search',
  }),
  stats: endpoint('leaderboard', at.stats, {
    response: z.object({
      totalMiners: z.number().int(),
      activeMiners: z.number().int(),
      /** Everything credited to all miners, whatever the source. Mining alone is `totalMined` of GET /stats, which is less. */
      total_earned: cordAmount,
    }),
    summary: 'Sums over all miners',
  }),
  me: endpoint('leaderboard', at.me, {
    query: z.strictObject({ period: period.default('all-time') }),
    response: z.object({ entry: leaderboardEntry.nullable(), neighbours: z.array(leaderboardEntry) }),
    summary: 'The own rank with neighbours; null while unranked',
  }),
  miner: endpoint('leaderboard', at.miner, {
    params: idParams,
    response: minerPlaces,
    summary: 'A miner’s rank in each period, and who stands around it of all time',
  }),
  global: endpoint('leaderboard', at.global, {
    response: globalStats,
    summary: 'Real public figures',
  }),
} as const;
