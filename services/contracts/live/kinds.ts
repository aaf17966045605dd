/** Kinds of the live stream: the value of `event:`. */
export const LIVE_KINDS = [
  'balance',
  'node',
  'rate',
  'user',
  'tasks',
  'checkin',
  'referrals',
  'orders',
  'epoch',
  'notices',
  'stats',
  'release',
] as const;

/** A client skips an unknown kind. */
export type LiveKind = (typeof LIVE_KINDS)[number];

/** Path of the stream below /api: text/event-stream, and therefore no endpoint of the contract. */
export const LIVE_PATH = '/events';

/** A quiet stream sends a comment this often, ms: one that has sent nothing for twice as long is gone. */
export const LIVE_COMMENT_MS = 25_000;
/** Largest `data:` of an event, characters: a stream passes over a larger one. */
export const LIVE_CHARS_MAX = 16 * 1024;
/** Between two `stats`, at least, ms. */
export const LIVE_STATS_MS = 30_000;
