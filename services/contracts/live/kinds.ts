import type { ServiceName } from '../endpoint.js';

/**
 * What the live stream tells of (interface.md, GET /api/events), and who says it: after the commit and once, so that
 * nothing relies on its delivery; after a gap the client asks (design.md, Events: Live).
 */
export const LIVE_TELLERS = {
  balance: 'mining',
  node: 'mining',
  rate: 'mining',
  user: 'auth',
  tasks: 'tasks',
  checkin: 'tasks',
  referrals: 'referrals',
  orders: 'rewards',
  epoch: 'rewards',
  notices: 'notices',
  stats: 'leaderboard',
  release: 'gateway',
} as const satisfies Readonly<Record<string, ServiceName | 'gateway'>>;

/** A word after `event:` in the stream. A client passes over one that it does not know. */
export type LiveKind = keyof typeof LIVE_TELLERS;
export const LIVE_KINDS = Object.keys(LIVE_TELLERS) as readonly LiveKind[];

/** Path of the stream below /api: text/event-stream, and therefore no endpoint of the contract. */
export const LIVE_PATH = '/events';

/** A quiet stream says a comment this often, ms: one that has said nothing for twice as long is gone. */
export const LIVE_COMMENT_MS = 25_000;
/** Between two `stats`, at least, ms. */
export const LIVE_STATS_MS = 30_000;
