import { z } from 'zod';

/**
 * How often versions of modules were shown, and how often that went wrong: what a gateway has counted it tells the other gateways on plain NATS. A
 * lost message costs a little time, until a canary is judged.
 */
export const visitsMessage = z.object({
  /** The gateway that counted, so that it passes over its own word. */
  from: z.string(),
  visits: z.array(z.object({ module: z.string(), version: z.string(), n: z.number().int(), failed: z.number().int() })),
});

/** Subject on which gateways tell each other. */
export const VISITS_SUBJECT = 'cord.visits.v1';
