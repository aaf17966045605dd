/** Kinds of the live stream: values of `event:`. */
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

/** Interval of comments on a quiet stream, ms. A stream silent for twice as long is gone. */
export const LIVE_COMMENT_MS = 25_000;
/** Maximum `data:` of an event, characters; larger events are skipped. */
export const LIVE_CHARS_MAX = 16 * 1024;
/** Minimum interval between two `stats`, ms. */
export const LIVE_STATS_MS = 30_000;
