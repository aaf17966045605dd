import { z } from 'zod';
import { REPLICAS_MAX } from './streams.js';

/** A replica announces to the others of its service that it is there, or that it leaves. On plain NATS: a lost message costs a beat. */
export const replicaMessage = z.object({
  /** Its number, CORD_REPLICA. */
  replica: z
    .number()
    .int()
    .min(0)
    .max(REPLICAS_MAX - 1),
  leaving: z.boolean(),
});

/** Subject on which the replicas of a service publish it. */
export function replicaSubject(service: string): string {
  return `cord.replica.v1.${service}`;
}
