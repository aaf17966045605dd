import { z } from 'zod';
import * as at from '../addresses/overview.js';
import { endpoint } from '../endpoint.js';
import { cordAmount, day, id128, pageCursor, time, wholeNumber } from './fields.js';
import { EARNINGS_RANGES, earningsBucket } from './mining.js';
import { supportKind } from './support.js';

/** Fill of a stream. */
const streamFill = z.object({
  name: z.string(),
  messages: z.number().int(),
  bytes: z.number(),
  /** Maximum bytes of the stream. */
  limitBytes: z.number(),
});
export type StreamFill = z.infer<typeof streamFill>;

/** Pending work, switches that are off and faults, at one moment. */
const operatorsOverview = z.object({
  at: time,
  /** Open requests, one item per kind. */
  requests: z.array(
    z.object({
      kind: supportKind,
      open: z.number().int(),
      /** More are open than were counted. */
      more: z.boolean(),
      /** Those of badge holders. */
      priority: z.number().int(),
      /** Time of the longest waiting one. */
      oldestAt: time.nullable(),
    }),
  ),
  /** Addresses with enough miners for a penalty that no operator has marked as shared. */
  crowdedAddresses: z.number().int(),
  /** Promised credits that the ledger has permanently refused. */
  parkedCredits: z.object({
    count: z.number().int(),
    /** There are more than were counted. */
    more: z.boolean(),
    oldestAt: time.nullable(),
    /** Services that did not respond. */
    missing: z.array(z.string()),
  }),
  /** Null while NATS does not respond. */
  deadLetters: z.number().int().nullable(),
  /** Sorted by name; empty while NATS does not respond. */
  streams: z.array(streamFill),
  /** Page faults reported today (UTC) by module, most first; `shell` for the shell's own. */
  clientErrors: z.array(z.object({ module: z.string(), count: z.number().int() })),
  /** Names of the switches that are off. */
  switchesOff: z.array(z.string()),
});
export type OperatorsOverview = z.infer<typeof operatorsOverview>;

/** CORD credited to all accounts, by UTC day or month. */
const issuedOverTime = z.object({
  range: z.enum(EARNINGS_RANGES),
  unit: z.enum(['day', 'month']),
  /** All buckets of the range, oldest first, zeros included. */
  buckets: z.array(earningsBucket),
  /** CORD credited in the range. */
  total: cordAmount,
  /**
   * Everything credited to all accounts since `countedSince`, whatever the source. Mining alone is `totalMined` of GET /stats,
   * which is less.
   */
  inAll: cordAmount,
  /** The first day counted, possibly in part; null before the first credit. Earlier amounts are unknown. */
  countedSince: day.nullable(),
  /** Result of the last `npx cord audit`; null before the first. */
  audit: z.object({ at: time, accounts: z.number().int(), drift: cordAmount }).nullable(),
  /** The last signed record of the log of day roots; null before the first. */
  root: z
    .object({
      day,
      at: time,
      accounts: z.number().int(),
      /** Number of records in the log. */
      size: z.number().int(),
      /** The next day's record is at least an hour late. */
      late: z.boolean(),
      /** Memos of the log's checkpoints on Solana; null when none are written. */
      memo: z
        .object({
          /** The account that writes them, base58. */
          signer: z.string(),
          /** The newest finalised memo; null before the first. */
          last: z
            .object({ size: z.number().int(), slot: z.number().int(), signature: z.string(), at: time })
            .nullable(),
        })
        .nullable(),
      /** Witnesses of the checkpoints, each with the newest size it has signed; null before the first. */
      witnesses: z.array(z.object({ name: z.string(), size: z.number().int().nullable(), at: time.nullable() })),
    })
    .nullable(),
});
export type IssuedOverTime = z.infer<typeof issuedOverTime>;

/** A node whose lease ended in a time span. */
const pausedNode = z.object({
  userId: id128,
  /** End of the lease. */
  pausedAt: time,
  /** The node runs again. */
  runs: z.boolean(),
  /** Sum of the owner's corrections since the start of the span, CORD; null when there is none. */
  corrected: cordAmount.nullable(),
});
export type PausedNode = z.infer<typeof pausedNode>;

/** Maximum number of nodes in one page. */
const PAUSED_LISTED_MAX = 100;

/** The operators' start page. */
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
          /** Start of the outage, as in `admin.outages`. */
          from: time,
          /** Number of nodes whose lease ended in the outage. */
          paused: z.number().int(),
          /** Number of those whose owner got a correction since its start. */
          corrected: z.number().int(),
        }),
      ),
    }),
    summary: 'Admins: how many nodes paused in each outage of the check-in',
  }),
  pausedNodes: endpoint('mining', at.pausedNodes, {
    query: z.strictObject({
      from: time,
      /** Exclusive end. */
      to: time,
      /** Time of the previous page's last node, ms. */
      cursor: pageCursor(/^\d{1,15}$/),
      limit: wholeNumber(25, PAUSED_LISTED_MAX),
    }),
    response: z.object({ nodes: z.array(pausedNode), nextCursor: z.string().nullable() }),
    summary: 'Admins: nodes whose lease ended in a span of time, the latest first',
  }),
} as const;
