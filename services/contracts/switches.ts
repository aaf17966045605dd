import { z } from 'zod';

/*
 * What an operator may switch off while all else goes on. Auth keeps it; every replica of every service, and the gateway, hears
 * of it as of rights (rpc/rights.ts) and holds it within a second. Who has heard nothing yet takes everything as on; who hears
 * nothing any more keeps what was said last.
 */

/**
 * claims: rewards of tasks, the daily check-in, compensation, the badge holders' CORD. orders: orders of the badge; one that
 * was paid is still decided. signups: accounts that are not there yet; whoever has one signs in. commission: what the ledger is
 * told of it; it goes on accruing, and all of it is told once it is on again.
 */
export const SWITCHES = ['claims', 'orders', 'signups', 'commission'] as const;

/** One of those, or `module.<name>` for the page and the parts of a module. */
export type SwitchName = (typeof SWITCHES)[number] | `module.${string}`;

/** The name of a switch; a module's is that of the registry behind `module.`. */
export const switchName = z
  .string()
  .regex(/^(claims|orders|signups|commission|module\.mfe_[a-z0-9_]{1,40})$/, 'must name a switch')
  .describe('claims, orders, signups, commission or module.mfe_<name>');

/** How many may be off at a time: modules have names of their own. */
export const SWITCHES_OFF_MAX = 32;

/** The right that says which are off. */
export const SWITCHES_KEY = 'switch.all';

/** Its value; a name that only a newer release knows is passed over. */
export const switchesTold = z.object({ off: z.array(z.string()).max(SWITCHES_OFF_MAX) });
export type SwitchesTold = z.output<typeof switchesTold>;

/** What a user is told who meets it. */
export const SWITCHED_OFF_TEXTS: Readonly<Record<'claims' | 'orders', string>> = {
  claims: 'Claims are paused for a while. Nothing is lost: please come back later.',
  orders: 'The badge is not on sale right now. A payment that was sent is still checked. Please come back later.',
};
