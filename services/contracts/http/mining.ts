import { z } from 'zod';
import * as at from '../addresses/mining.js';
import { endpoint } from '../endpoint.js';
import { MINING_HISTORY_DEFAULT } from '../rules/timings.js';
import { cordAmount, day, id128, idParams, ignoredNumber, time, wholeNumber } from './fields.js';
import { hoursOfDay } from './hours.js';
import { updatedUser } from './users.js';

/** The factors of the rate as plain multipliers, for "Why this number?". */
const rateFactors = z.object({
  tier: z.number(),
  antiCheat: z.number(),
  badge: z.boolean(),
  epoch: z.number(),
  epochId: z.string().nullable(),
});

/** A rate and how long it holds, so that clients need not poll: `rateThen` of rules/rate-then continues it. */
const rateFields = {
  /** CORD per minute. */
  rate: z.number(),
  /** The same rate, exact: nano-CORD per minute as a decimal string. */
  rateNano: z.string(),
  factors: rateFactors,
  /** First moment when an epoch or a tier birthday changes the rate, as far as known; null when nothing does. */
  rateUntil: time.nullable(),
  /** The factors from `rateUntil` on. */
  nextFactors: rateFactors.nullable(),
  nextRateNano: z.string().nullable(),
};

/** A mining session. */
export const miningSession = z.object({
  id: id128,
  startedAt: time,
  endedAt: time.nullable(),
  /** CORD credited in this session. */
  earnings: cordAmount,
  /** Simulated: 100 + 15 x age, with a small wobble seeded by user and minute. */
  hashRate: z.number(),
  /** 0-100: credited share of the possible seconds x anti-cheat. */
  efficiency: z.number(),
  /** `rateUntil` is null while the node does not run. */
  ...rateFields,
  status: z.enum(['active', 'ended', 'paused']),
  /** The node is credited up to this time; the screen interpolates from here. */
  creditedUntil: time,
  /** When the node pauses without further contact: 8 h after the last one. */
  leaseUntil: time.nullable(),
  /** The server's clock at this response. */
  serverTime: time,
  /** CORD that a paused node would have mined from `creditedUntil` to `serverTime`, epochs included; displayed, never credited. */
  missed: cordAmount.optional(),
  /** The balance up to `creditedUntil` and its version, when the response is the session itself (start, current). */
  newBalance: cordAmount.optional(),
  balanceSeq: z.string().optional(),
});
export type MiningSession = z.infer<typeof miningSession>;

/** Current rate of this user's node, running or not. Reading it is no contact. */
export const currentRate = z.object({
  ...rateFields,
  serverTime: time,
  /** The next announced change of the rules: this node's rate at that moment under the old and the new book, CORD per minute. */
  rulesChange: z.object({ from: time, rate: z.number(), nextRate: z.number() }).nullable(),
});
export type CurrentRate = z.infer<typeof currentRate>;

/** Response of save, end and update. */
const miningResult = z.object({
  success: z.literal(true),
  /** CORD credited by this call. */
  credited: cordAmount,
  newBalance: cordAmount,
  updatedUser,
  session: miningSession.nullable(),
  /** As in the response of `mining/rate`. */
  rateUntil: time.nullable(),
});

/** Response of activate and deactivate. */
const nodeResult = z.object({ success: z.literal(true), updatedUser, session: miningSession.nullable() });

/** Statistics of the user's own node. */
const nodeStats = z.object({
  isActive: z.boolean(),
  startTime: time.nullable(),
  /** Seconds of the running session. */
  uptime: z.number(),
  /** Seconds of all sessions. */
  totalUptime: z.number(),
  firstStartedAt: time.nullable(),
  dailyEarnings: cordAmount,
  totalEarnings: cordAmount,
  hashRate: z.number(),
  /** 0-1: a fraction here, a percentage elsewhere. */
  efficiency: z.number(),
  serverTime: time,
});

/** One ledger entry as its owner sees it. */
const ledgerEntry = z.object({
  id: z.string(),
  seq: z.string(),
  at: time,
  source: z.string(),
  amount: cordAmount,
  /** Balance after this entry. */
  balance: cordAmount,
  reason: z.string(),
  /** Position in the account's chain: 1, 2, 3 without gaps. */
  n: z.string(),
  /** For mining the inputs of its amount, else empty (services/contracts/proof/README.md). */
  facts: z.string(),
  /** Hash of the previous entry's hash and all fields of this entry, base64. */
  hash: z.string(),
});

const LEDGER_DEFAULT = 50;
/** Maximum number of entries in a page for their owner. */
const LEDGER_MAX = 200;

/** Page size and cursor of a ledger. */
export const ledgerQuery = z.strictObject({
  limit: wholeNumber(LEDGER_DEFAULT),
  cursor: z
    .string()
    .regex(/^\d{1,19}$/, 'must be a seq')
    .optional(),
});
export const ledgerPage = z.object({
  entries: z.array(ledgerEntry),
  /** Mined and credited, but not yet in an entry. */
  open: cordAmount,
  /** With `after`: the next `after`. */
  nextCursor: z.string().nullable(),
});

/** Time ranges of the earnings chart. */
export const EARNINGS_RANGES = ['7d', '30d', '12m'] as const;
export type EarningsRange = (typeof EARNINGS_RANGES)[number];

/** Earnings of one UTC day or one UTC month. */
export const earningsBucket = z.object({
  /** `2026-11-21` or `2026-11` */
  key: z.string(),
  mining: cordAmount,
  checkin: cordAmount,
  tasks: cordAmount,
  commission: cordAmount,
  /** Welcome, compensation, badge and both referral bonuses. */
  claims: cordAmount,
  total: cordAmount,
  /** Credited node time, ms. */
  ranMs: z.number(),
  /** The claims by their ledger source, CORD, without zeros. Only in a user's own earnings. */
  claimsBy: z.record(z.string(), cordAmount).optional(),
  /** Number of tasks claimed. Only in the days of a user's own earnings. */
  tasksClaimed: z.number().int().optional(),
});
export type EarningsBucket = z.infer<typeof earningsBucket>;

/** Response of `earnings`. */
const earningsOverTime = z.object({
  range: z.enum(EARNINGS_RANGES),
  unit: z.enum(['day', 'month']),
  /** All buckets of the range, oldest first, zeros included. */
  buckets: z.array(earningsBucket),
  total: cordAmount,
  /** Average per bucket since the account was opened. */
  average: cordAmount,
  /** The largest bucket, the first of equals; null without earnings. */
  best: z.object({ key: z.string(), total: cordAmount }).nullable(),
  /** Epochs that overlap the range, in order of time. */
  epochs: z.array(z.object({ id: z.string(), name: z.string(), rewardsMultiplier: z.number(), startDate: time })),
});
export type EarningsOverTime = z.infer<typeof earningsOverTime>;

const sessionParams = z.strictObject({ sessionId: id128 });
const userSessionParams = z.strictObject({ id: id128, sessionId: id128 });
/** Fields that clients A and B send with an update; accepted, never credited. */
const progressBody = z.strictObject({ earnings: ignoredNumber, hashRate: ignoredNumber, efficiency: ignoredNumber });

const start = endpoint('mining', at.start, {
  params: idParams,
  response: miningSession,
  summary: 'Start the node; while it runs, the same session again',
  rateClass: 'start',
  budget: 'mining.start',
});

const update = endpoint('mining', at.update, {
  params: sessionParams,
  body: progressBody,
  response: miningResult,
  summary: 'Save; the numbers sent are compared, not credited',
  budget: 'mining.save',
  rateClass: 'save',
  whileStale: true,
});

export const miningEndpoints = {
  activate: endpoint('mining', at.activate, {
    params: idParams,
    response: nodeResult,
    summary: 'Start the node, with the changed user fields',
    rateClass: 'start',
    budget: 'mining.start',
  }),
  deactivate: endpoint('mining', at.deactivate, {
    ignoresKey: true,
    params: idParams,
    response: nodeResult,
    summary: 'Stop the node; stopping twice is no error',
    rateClass: 'stop',
    budget: 'mining.stop',
  }),
  start,
  current: endpoint('mining', at.current, {
    params: idParams,
    response: miningSession.nullable(),
    summary: 'The running or paused session, or null; a contact that renews the lease',
  }),
  rate: endpoint('mining', at.rate, {
    params: idParams,
    response: currentRate,
    summary: 'The rate of this user’s node now, running or not, and what makes it',
  }),
  update,
  end: endpoint('mining', at.end, {
    ignoresKey: true,
    params: sessionParams,
    body: z.strictObject({ finalEarnings: ignoredNumber }),
    response: miningResult,
    summary: 'Stop the node; the sum sent is compared, not credited',
    rateClass: 'stop',
    budget: 'mining.stop',
  }),
  save: endpoint('mining', at.save, {
    ignoresKey: true,
    params: userSessionParams,
    body: z.strictObject({ earningsToAdd: ignoredNumber, miningRate: ignoredNumber }),
    response: miningResult,
    summary: 'Credit what the node has earned by the server’s clock',
    budget: 'mining.save',
    rateClass: 'save',
    whileStale: true,
  }),
  history: endpoint('mining', at.history, {
    params: idParams,
    query: z.strictObject({ limit: wholeNumber(MINING_HISTORY_DEFAULT) }),
    response: z.array(miningSession),
    summary: 'Sessions, newest first',
  }),
  ledger: endpoint('mining', at.ledger, {
    params: idParams,
    query: ledgerQuery
      .extend({
        limit: wholeNumber(LEDGER_DEFAULT, LEDGER_MAX),
        /** Number of an entry: returns the entries after it, oldest first. */
        after: z
          .string()
          .regex(/^(0|[1-9]\d{0,14})$/, 'must be the number of an entry')
          .optional(),
      })
      .refine(({ cursor, after }) => cursor === undefined || after === undefined, {
        path: ['after'],
        message: 'goes without cursor',
      }),
    response: ledgerPage,
    summary: 'The entries behind the balance, newest first; those after one of them, the oldest first',
  }),
  earnings: endpoint('mining', at.earnings, {
    params: idParams,
    query: z.strictObject({ range: z.enum(EARNINGS_RANGES, 'must be 7d, 30d or 12m') }),
    response: earningsOverTime,
    summary: 'What came from where, by UTC day or month, exact',
  }),
  hours: endpoint('mining', at.hours, {
    params: idParams,
    query: z.strictObject({ day }),
    response: hoursOfDay,
    summary: 'Why each hour of a UTC day of the last 30 brought what it brought',
    // For a user who starts and stops at the maximum rate it reads thousands of sessions and entries.
    rateClass: 'write',
  }),
  startB: endpoint('mining', at.startB, {
    response: miningSession,
    summary: 'Client B: start the node',
    rateClass: 'start',
    budget: 'mining.start',
  }),
  stopB: endpoint('mining', at.stopB, {
    ignoresKey: true,
    response: miningResult,
    summary: 'Client B: stop the node',
    rateClass: 'stop',
    budget: 'mining.stop',
  }),
  updateB: endpoint('mining', at.updateB, {
    ignoresKey: true,
    body: progressBody,
    response: miningResult,
    summary: 'Client B: save',
    budget: 'mining.save',
    rateClass: 'save',
    whileStale: true,
  }),
  stats: endpoint('mining', at.stats, {
    response: nodeStats,
    summary: 'Client B: local node stats',
  }),
} as const;
