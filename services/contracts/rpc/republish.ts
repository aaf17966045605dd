import { z } from 'zod';
import type { ServiceName } from '../endpoint.js';
import { rpc } from './rpc.js';

/** The NATS user that creates streams and consumers, and requests republishing from their owners (`npx cord streams`). */
export const SETUP_USER = 'setup';

/** Progress of an owner's republishing, or its last result. */
const republished = z.object({
  /** It runs, or waits for its turn. */
  running: z.boolean(),
  /** Documents examined. */
  documents: z.number().int(),
  /** Events that the stream lacked. */
  published: z.number().int(),
  /** Events that no stream will ever accept; the owner's log names them. */
  unfit: z.number().int(),
});

/** Requests the progress from a stream's owner. `begin` makes it republish all its state in the stream (services/README.md#events). */
export function republishRpc(owner: ServiceName) {
  const parties = { from: [SETUP_USER], by: owner } as const;
  return rpc(`republish.${owner}`, parties, z.object({ stream: z.string(), begin: z.boolean() }), republished);
}
