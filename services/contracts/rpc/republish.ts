import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { rpc } from './rpc.js';

/** The NATS user that makes streams and consumers, and requests their owners to publish anew (`npx cord streams`). */
export const SETUP_USER = 'setup';

/** How far an owner is with publishing its state anew, or how it ended last. */
const republished = z.object({
  /** It goes on, or waits for its turn. */
  running: z.boolean(),
  /** Documents that were looked at. */
  documents: z.number().int(),
  /** Events that the stream did not have. */
  published: z.number().int(),
  /** Events that no stream will ever take; the owner's log names them. */
  unfit: z.number().int(),
});

/** Requests from a stream's owner how far it is; `begin`: to publish all its state of the stream anew (services/README.md#events). */
export function republishRpc(owner: ServiceName) {
  const parties = { from: [SETUP_USER], by: owner } as const;
  return rpc(`republish.${owner}`, parties, z.object({ stream: z.string(), begin: z.boolean() }), republished);
}
