import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { REPLICAS_MAX } from './streams.js';

/**
 * A replica announces to the others of its service that it is present, that it leaves, or that it wrote the account of a user whom another
 * replica owns. On plain NATS: a lost message costs one beat.
 */
export const replicaMessage = z.object({
  /** The sender's number, CORD_REPLICA. */
  replica: z
    .number()
    .int()
    .min(0)
    .max(REPLICAS_MAX - 1),
  leaving: z.boolean(),
  /** The sender's store is away: its users go to the other replicas, as long as one of them does not yield. */
  yields: z.boolean().optional(),
  /** A user whose account the sender has written although another replica owns the user. */
  overtaken: id128.optional(),
});

/** Subject of the replica messages of a service. */
export function replicaSubject(service: string): string {
  return `cord.replica.v1.${service}`;
}
