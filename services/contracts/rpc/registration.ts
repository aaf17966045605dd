import { z } from 'zod';
import { userRegistered } from '../events/user.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/**
 * `user.registered` of a user as auth would publish it now, for a service that a user calls before the event has arrived
 * (services/kit/registration.ts).
 */
export const registrationRpc = rpc(
  'user.registration',
  { from: ['mining', 'tasks', 'referrals', 'rewards'], by: 'auth', toEach: true },
  z.object({ userId: id128 }),
  z.object({
    /** Null of who is not there, or not any more. */
    registered: userRegistered.schema.nullable(),
  }),
);
