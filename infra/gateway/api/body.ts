import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES } from '@cord/contracts/limits';

/** Thrown when a body is over the limit; the rest of it is not read. */
export class BodyTooLarge extends Error {}

/**
 * The whole body, so that a call can go to another replica when the first one is gone, and so that no service ever
 * meets one over the limit.
 * @throws BodyTooLarge over 64 KiB
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
