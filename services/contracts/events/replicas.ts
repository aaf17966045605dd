import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { REPLICAS_MAX } from './streams.js';

/**
 * A replica publishes to the others of its service that it is there, or that it leaves, or that it wrote a user's account that another of them
 * owns. On plain NATS: a lost message costs a beat.
 */
export const replicaMessage = z.object({
  /** Its number, CORD_REPLICA. */
  replica: z
    .number()
    .int()
    .min(0)
    .max(REPLICAS_MAX - 1),
  leaving: z.boolean(),
  /** The others get its users as long as one of them does not yield: its store is away. */
  yields: z.boolean().optional(),
  /** A user whose account it has written, though another replica owns the user. */
  overtaken: id128.optional(),
});

/** Subject on which the replicas of a service publish it. */
export function replicaSubject(service: string): string {
  return `cord.replica.v1.${service}`;
}
