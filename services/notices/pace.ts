import { PAUSE_WARNING_MS } from '@cord/contracts/rules/notices';
import { LEASE_MS } from '@cord/contracts/rules/timings';

/** Pace of pushes: within a second or two of their cause. */
export const PUSHING = {
  /** Maximum number processed concurrently. */
  batch: 32,
  work: { everyMs: 1_000, leaseMs: 30_000 },
} as const;

/** Maximum wait before a push is retried, ms. */
export const PUSH_WAIT_MS_MAX = 3_600_000;
/** Maximum wait before a node is checked again for the warning before it pauses, ms. */
export const WARNING_WAIT_MS_MAX = LEASE_MS - PAUSE_WARNING_MS;

/** Delay after midnight, ms, after which all services' clocks agree on the day and its last events have arrived. */
export const AFTER_DAY_MS = 60_000;

/** Pace of daily notices: within a minute of their hour. */
export const DAILY = {
  /** Maximum number of people processed concurrently. */
  batch: 64,
  work: { everyMs: 60_000, leaseMs: 120_000 },
} as const;
