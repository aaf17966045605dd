import { z } from 'zod';
import { userRegistered } from '../events/user.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/**
 * A user's current `user.registered` event, for a service that the user calls before the event has arrived
 * (services/kit/registration.ts).
 */
export const registrationRpc = rpc(
  'user.registration',
  { from: ['mining', 'tasks', 'referrals', 'rewards'], by: 'auth', toEach: true },
  z.object({ userId: id128 }),
  z.object({
    /** Null for an unknown or erased user. */
    registered: userRegistered.schema.nullable(),
  }),
);
