import type { Server, ServerOptions } from 'node:http';

/**
 * Maximum size of a request's head (target and headers), bytes. Forwarding adds headers (caller, address, trace;
 * repeated headers joined), and a service accepts Node's 16 KiB: no replica refuses for its size what passes here.
 */
export const HEAD_BYTES_MAX = 12 * 1024;

/** Limits of the origin's server, ms and bytes. */
export const FRONT = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: HEAD_BYTES_MAX,
} satisfies ServerOptions;

/** Maximum idle time of a connection, ms. A stream sends a line every 25 s, and a call responds within 30 s. */
const STALLED_MS = 120_000;

/** Ends idle connections: a client that does not read would occupy its response, an open file and a connection without limit. */
export function endStalled(server: Server, stalledMs = STALLED_MS): void {
  server.setTimeout(stalledMs);
}
