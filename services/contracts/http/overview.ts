import { z } from 'zod';
import * as at from '../addresses/overview.js';
import { endpoint } from '../endpoint.js';
import { cordAmount, day, id128, pageCursor, time, wholeNumber } from './fields.js';
import { EARNINGS_RANGES, earningsBucket } from './mining.js';
import { supportKind } from './support.js';

/** How full a stream is. */
const streamFill = z.object({
  name: z.string(),
  messages: z.number().int(),
  bytes: z.number(),
  /** Bytes that it may hold. */
  limitBytes: z.number(),
});
export type StreamFill = z.infer<typeof streamFill>;

/** What waits, what is off and what went wrong, at one moment. */
const operatorsOverview = z.object({
  at: time,
  /** Open requests, each kind once. */
  requests: z.array(
    z.object({
      kind: supportKind,
      open: z.number().int(),
      /** There are more open than were counted. */
      more: z.boolean(),
      /** Of badge holders. */
      priority: z.number().int(),
      /** The one that has waited longest. */
      oldestAt: time.nullable(),
    }),
  ),
  /** Addresses at which enough people mine for a penalty, and which no operator has marked as shared. */
  crowdedAddresses: z.number().int(),
  /** Promised credits that the ledger has refused for good. */
  parkedCredits: z.object({
    count: z.number().int(),
    /** There are more than were counted. */
    more: z.boolean(),
    oldestAt: time.nullable(),
    /** Services that did not answer. */
    missing: z.array(z.string()),
  }),
  /** Null while NATS does not answer. */
  deadLetters: z.number().int().nullable(),
  /** In order of their names; empty while NATS does not answer. */
  streams: z.array(streamFill),
  /** Faults in pages that were reported today (UTC), by module, the most first; `shell` for the shell's own. */
  clientErrors: z.array(z.object({ module: z.string(), count: z.number().int() })),
  /** Names of the switches that are off. */
  switchesOff: z.array(z.string()),
});
export type OperatorsOverview = z.infer<typeof operatorsOverview>;

/** What was credited to all accounts, by UTC day or month. */
const issuedOverTime = z.object({
  range: z.enum(EARNINGS_RANGES),
  unit: z.enum(['day', 'month']),
  /** All of the range, the oldest first, zeros too. */
  buckets: z.array(earningsBucket),
  /** Credited in the range. */
  total: cordAmount,
  /**
   * Issued in all: everything credited to all accounts since `countedSince`, whatever its source. What nodes mined alone is `totalMined`
   * of GET /stats, and less.
   */
  inAll: cordAmount,
  /** The first day that was counted from its beginning or in part; null before the first credit. What lies before is not known. */
  countedSince: day.nullable(),
  /** What the last `npx cord audit` found; null before the first. */
  audit: z.object({ at: time, accounts: z.number().int(), drift: cordAmount }).nullable(),
  /** The last signed record of the log over the roots of days; null before the first. */
  root: z
    .object({
      day,
      at: time,
      accounts: z.number().int(),
      /** Records of the log. */
      size: z.number().int(),
      /** The record of the day after it is an hour late or more. */
      late: z.boolean(),
      /** Memos of its checkpoints on Solana; null where none are written. */
      memo: z
        .object({
          /** The account that writes them, base58. */
          signer: z.string(),
          /** The newest that is final; null before the first. */
          last: z
            .object({ size: z.number().int(), slot: z.number().int(), signature: z.string(), at: time })
            .nullable(),
        })
        .nullable(),
      /** Witnesses of its checkpoints, each with the newest size that it has signed; null before the first. */
      witnesses: z.array(z.object({ name: z.string(), size: z.number().int().nullable(), at: time.nullable() })),
    })
    .nullable(),
});
export type IssuedOverTime = z.infer<typeof issuedOverTime>;

/** A node whose lease ended in a span of time. */
const pausedNode = z.object({
  userId: id128,
  /** End of the lease. */
  pausedAt: time,
  /** It runs again. */
  runs: z.boolean(),
  /** Sum of the owner's corrections since the span began, CORD; null where there is none. */
  corrected: cordAmount.nullable(),
});
export type PausedNode = z.infer<typeof pausedNode>;

/** Nodes in one page of the list, at the most. */
const PAUSED_LISTED_MAX = 100;

/** What operators see first. */
export const overviewEndpoints = {
  overview: endpoint('auth', at.overview, {
    response: operatorsOverview,
    summary: 'Admins: what waits, what is off and what went wrong',
  }),
  issued: endpoint('mining', at.issued, {
    query: z.strictObject({ range: z.enum(EARNINGS_RANGES) }),
    response: issuedOverTime,
    summary: 'Admins: CORD credited to all accounts by source, and what the last audit found',
  }),
  outageNodes: endpoint('mining', at.outageNodes, {
    response: z.object({
      /** The latest outages of the check-in, newest first. */
      outages: z.array(
        z.object({
          /** Beginning of the outage, as `admin.outages` has it. */
          from: time,
          /** Nodes whose lease ended in it. */
          paused: z.number().int(),
          /** Those of them whose owner has had a correction since it began. */
          corrected: z.number().int(),
        }),
      ),
    }),
    summary: 'Admins: how many nodes paused in each outage of the check-in',
  }),
  pausedNodes: endpoint('mining', at.pausedNodes, {
    query: z.strictObject({
      from: time,
      /** Left out itself. */
      to: time,
      /** Time of the last node of the page before, ms. */
      cursor: pageCursor(/^\d{1,15}$/),
      limit: wholeNumber(25, PAUSED_LISTED_MAX),
    }),
    response: z.object({ nodes: z.array(pausedNode), nextCursor: z.string().nullable() }),
    summary: 'Admins: nodes whose lease ended in a span of time, the latest first',
  }),
} as const;
