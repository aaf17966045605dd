/** How pushes are worked through: within a second or two of their cause, and without work where there are none. */
export const PUSHING = {
  /** Done at a time. */
  batch: 32,
  work: { everyMs: 1_000, leaseMs: 30_000 },
} as const;

/** How notices of days are worked through: within a minute of its hour. */
export const DAILY = {
  /** People done at a time. */
  batch: 64,
  work: { everyMs: 60_000, leaseMs: 120_000 },
} as const;
