import { z } from 'zod';
import * as at from '../addresses/switches.js';
import { endpoint } from '../endpoint.js';
import { switchName } from '../switches.js';
import { time } from './fields.js';

const listed = z.object({
  switches: z.array(
    z.object({
      /** `claims`, `orders`, `signups`, `commission` or `module.mfe_<name>`; of the modules only those that are off. */
      name: z.string(),
      on: z.boolean(),
      /** For a switch that is off: why, by whom (an admin's id, or the operator's name) and since when. */
      why: z.string().nullable(),
      by: z.string().nullable(),
      /** Name of that admin; null when no account has that id. */
      byName: z.string().nullable(),
      since: time.nullable(),
    }),
  ),
});

/** Kill switches that admins may throw without stopping the rest. */
export const switchEndpoints = {
  switches: endpoint('auth', at.switches, {
    response: listed,
    summary: 'Admins: the kill switches, and which are off',
  }),
  throwSwitch: endpoint('auth', at.throwSwitch, {
    // Switching off must be fast; switching on again needs a fresh sign-in.
    fresh: { of: ({ on }) => on },
    params: z.strictObject({ name: switchName }),
    body: z.strictObject({ on: z.boolean(), why: z.string().trim().min(3).max(500) }),
    response: listed,
    summary: 'Admins: switch something off or on again; it holds everywhere within a second',
  }),
} as const;
