/** How pushes are worked through: within a second or two of what they tell, and by nobody where there are none. */
export const PUSHING = {
  /** Done at a time. */
  batch: 32,
  work: { everyMs: 1_000, leaseMs: 30_000, parts: 16 },
} as const;
