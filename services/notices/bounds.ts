import { LIVE_COMMENT_MS } from '@cord/contracts/live/kinds';

/* All bounds of the streams. */

/** Maximum number of streams per user and replica; beyond, the oldest is ended. */
export const STREAMS_PER_USER_MAX = 8;
/** Maximum bytes buffered for a slow reader; beyond, the stream is ended. */
export const STREAM_BACKLOG_BYTES_MAX = 64 * 1024;

/** Interval at which one share of the streams gets its comment, ms. */
export const BEAT_MS = 500;
export const BEATS = LIVE_COMMENT_MS / BEAT_MS;
/** Comments between two updates of the user's presence: well within the five minutes of an online user. */
export const COMMENTS_A_PRESENCE = 4;

/** Delay before a browser reconnects, ms: normally; when all reconnect at once; when it has too many streams. */
export const RETRY = {
  alone: { leastMs: 1_000, spreadMs: 3_000 },
  together: { leastMs: 500, spreadMs: 10_000 },
  replaced: { leastMs: 60_000, spreadMs: 60_000 },
} as const;
