import type { RateClass } from './endpoint.js';

/** A budget of calls: `points` in `seconds`. */
export interface RateLimit {
  points: number;
  seconds: number;
}

/**
 * Rate limits by class, for each user and route (by address where nobody is signed in).
 * The app's own polling in ten tabs stays below half of each.
 */
export const RATE_LIMITS: Readonly<Record<RateClass, RateLimit>> = {
  read: { points: 900, seconds: 60 },
  save: { points: 600, seconds: 60 },
  write: { points: 120, seconds: 60 },
  claim: { points: 30, seconds: 60 },
  order: { points: 20, seconds: 60 },
  guess: { points: 10, seconds: 60 },
  signIn: { points: 60, seconds: 60 },
  rpc: { points: 300, seconds: 60 },
  report: { points: 30, seconds: 60 },
};

/** Classes that count by address also where somebody is signed in: what they tell belongs to nobody (interface.md). */
export const BY_ADDRESS: ReadonlySet<RateClass> = new Set<RateClass>(['report']);

/** Largest request body, bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** The same of a message about faults in the page (interface.md). */
export const CLIENT_ERRORS_LIMIT_BYTES = 16 * 1024;
/** Deepest nesting of a JSON body (interface.md, Shapes). */
export const JSON_DEPTH_MAX = 32;
/** How long an Idempotency-Key is kept, ms (design.md, Sign-in and rights). */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
