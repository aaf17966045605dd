import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES } from '@cord/contracts/limits';
import { BodyTooLarge, boundedBytes } from '@cord/kit/http/bounded-body';

/**
 * The whole body, so that a call can go to another replica when the first one is gone, and so that no service ever
 * meets one over the limit.
 * @throws BodyTooLarge over 64 KiB
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) throw new BodyTooLarge(BODY_LIMIT_BYTES);
  return boundedBytes(request as AsyncIterable<Buffer>, BODY_LIMIT_BYTES);
}
