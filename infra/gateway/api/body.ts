import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES } from '@cord/contracts/limits';
import { BodyTooLarge, boundedBytes } from '@cord/kit/http/bounded-body';

/**
 * Reads the whole body, so that a call can be sent to another replica when the first is gone, and no service receives
 * one over the limit.
 * @throws BodyTooLarge over 64 KiB
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw new BodyTooLarge(BODY_LIMIT_BYTES);
  return boundedBytes(request as AsyncIterable<Buffer>, BODY_LIMIT_BYTES);
}
