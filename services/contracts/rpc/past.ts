import { z } from 'zod';
import { timeMs } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** What auth holds of a user's last 30 days: by it the hours of the node are explained. Empty lists of who is unknown. */
export const pastRpc = rpc(
  'user.past',
  { from: ['mining'], by: 'auth', toEach: true },
  z.object({ userId: id128 }),
  z.object({
    /** When the user was signed in on any device, ms since epoch, oldest first, apart from each other. What was before the first is not known. */
    signIns: z.array(z.object({ fromMs: timeMs, toMs: timeMs })),
    /** Results of the network check, oldest first; each holds until the next. Before the first it had not changed anything. */
    network: z.array(
      z.object({
        atMs: timeMs,
        /** What the rate was multiplied by, x 100. */
        factorHundredths: z.number().int(),
        /** Accounts that mined from the address, the user's included. */
        accounts: z.number().int(),
      }),
    ),
  }),
);
