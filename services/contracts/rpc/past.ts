import { z } from 'zod';
import { timeMs } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Auth's data of a user's last 30 days, which explains the hours of the node. Empty lists for an unknown user. */
export const pastRpc = rpc(
  'user.past',
  { from: ['mining'], by: 'auth', toEach: true },
  z.object({ userId: id128 }),
  z.object({
    /** When the user was signed in on any device, ms since epoch, oldest first, without overlaps. The time before the first is unknown. */
    signIns: z.array(z.object({ fromMs: timeMs, toMs: timeMs })),
    /** Results of the network check, oldest first; each holds until the next. Before the first the rate was unchanged. */
    network: z.array(
      z.object({
        atMs: timeMs,
        /** Factor on the rate, x 100. */
        factorHundredths: z.number().int(),
        /** Accounts that mined from the address, the user's included. */
        accounts: z.number().int(),
      }),
    ),
  }),
);
