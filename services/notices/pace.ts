import { PAUSE_WARNING_MS } from '@cord/contracts/rules/notices';
import { LEASE_MS } from '@cord/contracts/rules/timings';

/** How pushes are worked through: within a second or two of their cause, and without work where there are none. */
export const PUSHING = {
  /** Done at a time. */
  batch: 32,
  work: { everyMs: 1_000, leaseMs: 30_000 },
} as const;

/** The longest wait before a push is tried again, ms. */
export const PUSH_WAIT_MS_MAX = 3_600_000;
/** The longest wait before a node is looked at again, to warn before it pauses, ms. */
export const WARNING_WAIT_MS_MAX = LEASE_MS - PAUSE_WARNING_MS;

/** So long after midnight the clocks of all services have the same day, and what came at its last moment is where it belongs, ms. */
export const AFTER_DAY_MS = 60_000;

/** How notices of days are worked through: within a minute of its hour. */
export const DAILY = {
  /** People done at a time. */
  batch: 64,
  work: { everyMs: 60_000, leaseMs: 120_000 },
} as const;
