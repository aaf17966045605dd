import type { ServerOptions } from 'node:http';

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
