import { z } from 'zod';
import * as at from '../addresses/referrals.js';
import { endpoint } from '../endpoint.js';
import { TEXTS } from '../texts.js';
import { cordAmount, id128, pageCursor, reason, time, userIdParams, wholeNumber } from './fields.js';
import { updatedUser } from './users.js';

const referralHistoryEntry = z.object({
  id: z.string(),
  referredUsername: z.string(),
  referredUser: z.object({ username: z.string(), avatar: z.string().nullable(), total_earned: cordAmount }),
  createdAt: time,
  /** What this friend has earned the referrer, CORD (commission share and bonus). */
  totalEarnings: cordAmount,
  /** The 86 CORD: pending until the friend has run a node for 10 minutes; held while both share an address. */
  bonusStatus: z.enum(['pending', 'held', 'credited', 'refused']),
  /** Node time of the friend so far, ms. */
  friendRanMs: z.number().int(),
});

const referralStats = z.object({
  referralCode: z.string(),
  totalReferrals: z.number().int(),
  /** Paid so far, CORD. */
  totalEarnings: cordAmount,
  /** Earned but held, CORD. */
  heldEarnings: cordAmount,
  referredBy: z.object({ userId: id128, username: z.string() }).nullable(),
  /** State of a code carried through sign-in. */
  pendingCode: z
    .object({
      code: z.string(),
      status: z.enum(['pending', 'credited', 'refused']),
      reason: z.string().nullable(),
      /** The reason as a problem type, for readers in other languages. */
      why: z.string().nullable(),
    })
    .nullable(),
  referralHistory: z.array(referralHistoryEntry),
});

const referralEarnings = z.object({
  /** Total of the period, CORD. */
  total: cordAmount,
  /** The newest 1,000 earnings of the period. */
  earnings: z.array(z.object({ at: time, amount: cordAmount })),
  /** Whether `earnings` is complete. */
  isWhole: z.boolean(),
});

/** State of withheld money: waiting, released by an admin, or refused by an admin. */
const HOLD_STATES = ['held', 'released', 'refused'] as const;

/** A friend with withheld earnings: the 86 CORD, or commission while both share an address (services/contracts/rules/README.md#commission-and-referral-bonuses). */
const hold = z.object({
  friendId: id128,
  friend: z.string(),
  referrerId: id128,
  referrer: z.string(),
  state: z.enum(HOLD_STATES),
  /** Start of this state. */
  since: time,
  linkedAt: time,
  /** Both count at one address, and `level` is the higher of the two. Otherwise the friend's first hour is not over or not assessed. */
  sharesAddress: z.boolean(),
  level: z.number().int(),
  /** Node time of the friend so far, ms. */
  friendRanMs: z.number().int(),
  /** Withheld commission, CORD. */
  commission: cordAmount,
  /** The referrer's withheld bonus, CORD; 0 when it is not due, or was credited or refused. */
  bonus: cordAmount,
  /** What this friend has earned the referrer so far, CORD. */
  paid: cordAmount,
});
export type Hold = z.infer<typeof hold>;

/** Maximum number of holds in one page. */
const HOLDS_LISTED_MAX = 100;

const period = z.enum(['all', 'monthly', 'weekly', 'daily']).default('all');

const stats = endpoint('referrals', at.stats, {
  params: userIdParams,
  response: referralStats,
  summary: 'Own code, friends and what they brought',
});

export const referralEndpoints = {
  process: endpoint('referrals', at.process, {
    body: z.strictObject({ userId: id128.optional(), referralCode: z.string(TEXTS.referralInput).max(64) }),
    response: z.object({
      success: z.literal(true),
      updatedUser,
      referredBonus: cordAmount,
      referrerBonus: cordAmount,
      referrerStatus: z.enum(['pending', 'held', 'credited']),
      pending: z.boolean(),
    }),
    summary: 'Enter a friend’s code',
    rateClass: 'guess',
  }),
  stats,
  earnings: endpoint('referrals', at.earnings, {
    params: userIdParams,
    query: z.strictObject({ period }),
    response: referralEarnings,
    summary: 'Payments of commission and bonuses',
  }),
  statsB: endpoint('referrals', at.statsB, {
    response: referralStats,
    summary: 'Client B: own code, friends and what they brought',
    budget: 'referrals.stats',
  }),
  historyB: endpoint('referrals', at.historyB, {
    response: z.array(referralHistoryEntry),
    summary: 'Client B: the friends',
    budget: 'referrals.stats',
  }),
  earningsB: endpoint('referrals', at.earningsB, {
    query: z.strictObject({ period }),
    response: referralEarnings,
    summary: 'Client B: payments of commission and bonuses',
    budget: 'referrals.earnings',
  }),
  holds: endpoint('referrals', at.holds, {
    query: z.strictObject({
      state: z.enum(HOLD_STATES).default('held'),
      /** State, time and friend of the previous page's last hold. */
      cursor: pageCursor(/^(held|released|refused)-\d{15}-[0-9a-f]{32}$/),
      limit: wholeNumber(25, HOLDS_LISTED_MAX),
    }),
    response: z.object({ holds: z.array(hold), nextCursor: z.string().nullable() }),
    summary: 'Admins: bonuses that are held, the longest first; or those that were decided, the latest first',
  }),
  decideHold: endpoint('referrals', at.decideHold, {
    fresh: true,
    params: z.strictObject({ friendId: id128 }),
    body: z.strictObject({ decision: z.enum(['release', 'refuse', 'hold']), reason }),
    response: hold,
    summary: 'Admins: pay what is held of a friend, refuse it, or take either back for what comes',
  }),
  release: endpoint('referrals', at.release, {
    fresh: true,
    params: userIdParams.extend({ friendId: id128 }),
    response: z.object({ success: z.literal(true) }),
    summary: 'Admins: end the hold on a friend who shares the referrer’s address',
  }),
} as const;
