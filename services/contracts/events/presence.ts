import { z } from 'zod';
import { id128 } from '../http/fields.js';

/** Users in one message, at the most. */
export const PRESENCE_USERS_MAX = 5_000;

/** Who made authenticated requests lately. Published from time to time on plain NATS: a lost message costs nothing. */
export const presenceMessage = z.object({ userIds: z.array(id128).max(PRESENCE_USERS_MAX) });

/** Subject on which a service publishes it. */
export function presenceSubject(service: string): string {
  return `cord.presence.v1.${service}`;
}
