import { z } from 'zod';
import { timeMs } from './events/envelope.js';

/*
 * What an operator may switch off while all else goes on. Auth keeps it; every replica of every service, and the gateway,
 * gets it as it gets rights (rpc/rights.ts), within a second. A service keeps the last answer in its own store and starts from it;
 * before the first answer everything is on.
 */

/**
 * claims: rewards of tasks, the daily check-in, compensation, the badge holders' CORD. orders: orders of the badge; one that
 * was paid is still decided. signups: accounts that are not there yet; the owner of one signs in. commission: totals that
 * referrals sends to the ledger; it continues to accrue, and all of it is sent once it is on again.
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

/** The right that holds which are off. */
export const SWITCHES_KEY = 'switch.all';

/** How many spans are kept; of those that are over the oldest go first. */
export const OFF_SPANS_MAX = 64;

/** A stretch of time in which a switch was off; `toMs` is null while it still is. */
const switchSpan = z.object({ name: z.string(), fromMs: timeMs, toMs: timeMs.nullable() });
export type SwitchSpan = z.output<typeof switchSpan>;

/** Its value; a name that only a newer release has is passed over. */
export const switchesState = z.object({
  off: z.array(z.string()).max(SWITCHES_OFF_MAX),
  /** When switches were off, oldest first; of modules nothing is kept. */
  spans: z.array(switchSpan),
});
export type SwitchesState = z.output<typeof switchesState>;

/** When `claims` was off. */
export function spansOfClaims(spans: readonly SwitchSpan[]): SwitchSpan[] {
  return spans.filter(({ name }) => name === 'claims');
}

/** The text for a user who meets it. */
export const SWITCHED_OFF_TEXTS: Readonly<Record<'claims' | 'orders', string>> = {
  claims:
    'Claims are paused for a while. A UTC day on which they are off for most of the time, or for half an hour of its last three hours, breaks no streak. Please come back later.',
  orders: 'The badge is not on sale right now. A payment that was sent is still checked. Please come back later.',
};
