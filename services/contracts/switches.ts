import { z } from 'zod';
import { timeMs } from './events/envelope.js';

/*
 * Kill switches that an operator may throw without stopping the rest. Auth stores them; every replica of every service and the
 * gateway receives them like rights (rpc/rights.ts), within a second. A service stores the last response and starts from it;
 * before the first response everything is on.
 */

/**
 * claims: rewards of tasks, the daily check-in, compensation, the badge holders' CORD. orders: badge orders; a paid one is
 * still decided. signups: new accounts; existing ones can sign in. commission: totals that referrals sends to the ledger;
 * commission keeps accruing, and all of it is sent after the switch is on again.
 */
export const SWITCHES = ['claims', 'orders', 'signups', 'commission'] as const;

/** One of those, or `module.<name>` for a module's page and parts. */
export type SwitchName = (typeof SWITCHES)[number] | `module.${string}`;

/** Name of a switch; a module's is `module.` and its name in the registry. */
export const switchName = z
  .string()
  .regex(/^(claims|orders|signups|commission|module\.mfe_[a-z0-9_]{1,40})$/, 'must name a switch')
  .describe('claims, orders, signups, commission or module.mfe_<name>');

/** Maximum number of switches off at a time; module names are open-ended. */
export const SWITCHES_OFF_MAX = 32;

/** The rights key of the switches that are off. */
export const SWITCHES_KEY = 'switch.all';

/** Maximum number of spans kept; the oldest finished ones are dropped first. */
export const OFF_SPANS_MAX = 64;

/** A time span in which a switch was off; `toMs` is null while it still is. */
const switchSpan = z.object({ name: z.string(), fromMs: timeMs, toMs: timeMs.nullable() });
export type SwitchSpan = z.output<typeof switchSpan>;

/** Value of SWITCHES_KEY; a name that only a newer release knows is ignored. */
export const switchesState = z.object({
  off: z.array(z.string()).max(SWITCHES_OFF_MAX),
  /** When switches were off, oldest first; not recorded for modules. */
  spans: z.array(switchSpan),
});
export type SwitchesState = z.output<typeof switchesState>;

/** Returns when `claims` was off. */
export function spansOfClaims(spans: readonly SwitchSpan[]): SwitchSpan[] {
  return spans.filter(({ name }) => name === 'claims');
}

/** Text for a user whose call is refused. */
export const SWITCHED_OFF_TEXTS: Readonly<Record<'claims' | 'orders', string>> = {
  claims:
    'Claims are paused for a while. A UTC day on which they are off for most of the time, or for half an hour of its last three hours, breaks no streak. Please come back later.',
  orders: 'The badge is not on sale right now. A payment that was sent is still checked. Please come back later.',
};
