import { LIVE_CHARS_MAX } from '@cord/contracts/live/kinds';
import { RETRY } from './bounds.js';

/* The text of the stream (WHATWG HTML, Server-sent events). */

/** Keep-alive of a quiet stream. */
export const COMMENT = Buffer.from(':\n\n');

/** Headers of the stream: no proxy may cache, compress or buffer it. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const KIND = /^[a-z]{1,20}$/;
/** Beginning of the services' messages (kit/live.ts); JetStream's own responses differ. */
const BEGINS = '{"seq":"';

/** Encodes one event; null for a foreign message: an invalid kind, or data that is not one line beginning with `seq`. */
export function eventText(kind: string, id: number, data: string): Buffer | null {
  const isOurs = KIND.test(kind) && data.startsWith(BEGINS) && data.length <= LIVE_CHARS_MAX && !/[\r\n]/.test(data);
  return isOurs ? Buffer.from(`event: ${kind}\nid: ${id}\ndata: ${data}\n\n`) : null;
}

/** Returns the retry delay, random within the spread, so that clients do not all reconnect at once. */
export function retryText(when: keyof typeof RETRY): string {
  const { leastMs, spreadMs } = RETRY[when];
  return `retry: ${Math.round(leastMs + Math.random() * spreadMs)}\n\n`;
}
