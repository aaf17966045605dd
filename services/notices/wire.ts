import { LIVE_CHARS_MAX } from '@cord/contracts/live/kinds';
import { RETRY } from './bounds.js';

/* The text of the stream (WHATWG HTML, Server-sent events). */

/** What a quiet stream sends. */
export const COMMENT = Buffer.from(':\n\n');

/** Headers of the stream; no proxy on its way may keep, pack or gather it. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const KIND = /^[a-z]{1,20}$/;
/** How the services' messages begin (kit/live.ts), and none of JetStream's own answers. */
const BEGINS = '{"seq":"';

/** One event; null for what is none of ours: a kind that is no name, data that is not one line of `seq` and more. */
export function eventText(kind: string, id: number, data: string): Buffer | null {
  const isOurs = KIND.test(kind) && data.startsWith(BEGINS) && data.length <= LIVE_CHARS_MAX && !/[\r\n]/.test(data);
  return isOurs ? Buffer.from(`event: ${kind}\nid: ${id}\ndata: ${data}\n\n`) : null;
}

/** When to come again, by chance within the spread, so that not all come at once. */
export function retryText(when: keyof typeof RETRY): string {
  const { leastMs, spreadMs } = RETRY[when];
  return `retry: ${Math.round(leastMs + Math.random() * spreadMs)}\n\n`;
}
