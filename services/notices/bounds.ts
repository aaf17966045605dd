import { LIVE_COMMENT_MS } from '@cord/contracts/live/kinds';

/* Every bound of the streams, and only here. */

/** Streams of one user in one replica; the oldest goes. */
export const STREAMS_PER_USER_MAX = 8;
/** Bytes that wait for a reader who does not read; with more the stream ends. */
export const STREAM_BACKLOG_BYTES_MAX = 64 * 1024;

/** How often sessions are looked at again, and a share of the streams gets its comment, ms. */
export const BEAT_MS = 500;
export const BEATS = LIVE_COMMENT_MS / BEAT_MS;
/** Each so many comments its user counts as online anew: well within the five minutes that count. */
export const COMMENTS_A_PRESENCE = 4;

/** After how long a browser comes again, ms: by itself; when all come at once; when it has too many streams. */
export const RETRY = {
  alone: { leastMs: 1_000, spreadMs: 3_000 },
  together: { leastMs: 500, spreadMs: 10_000 },
  replaced: { leastMs: 60_000, spreadMs: 60_000 },
} as const;
