import { z } from 'zod';
import { id128 } from '../http/fields.js';

/** Maximum number of users in one message. */
export const PRESENCE_USERS_MAX = 5_000;

/** Users who recently made authenticated requests. Published periodically on plain NATS: a lost message costs nothing. */
export const presenceMessage = z.object({ userIds: z.array(id128).max(PRESENCE_USERS_MAX) });

/** Subject of a service's presence messages. */
export function presenceSubject(service: string): string {
  return `cord.presence.v1.${service}`;
}
