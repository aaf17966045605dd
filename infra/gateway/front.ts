import type { Server, ServerOptions } from 'node:http';

/**
 * Largest head of a request: its target and headers, bytes. A call goes on with more than it came with (who calls, from where, its trace; repeated
 * headers in one line), and a service takes Node's 16 KiB: what passes here is refused by no replica for its size.
 */
export const HEAD_BYTES_MAX = 12 * 1024;

/** Bounds of the server of the origin. */
export const FRONT = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: HEAD_BYTES_MAX,
} satisfies ServerOptions;

/** A stream has a line every 25 s, and a call its answer within 30. */
const STALLED_MS = 120_000;

/** Ends connections on which nothing moves: a client that does not read would hold its answer, an open file and a connection for as long as it likes. */
export function endStalled(server: Server, stalledMs = STALLED_MS): void {
  server.setTimeout(stalledMs);
}
