import type { RateClass } from './endpoint.js';

/** A budget of calls: `points` in `seconds`. */
interface RateLimit {
  points: number;
  seconds: number;
}

/**
 * Rate limits by class, for each user and budget (by address without a sign-in); a budget is a route, or all
 * routes that do the same.
 * The app's own polling in ten tabs stays below half of each.
 */
export const RATE_LIMITS: Readonly<Record<RateClass, RateLimit>> = {
  read: { points: 900, seconds: 60 },
  save: { points: 600, seconds: 60 },
  write: { points: 120, seconds: 60 },
  /** A session is a document and two events for good: no user needs one a minute for hours. */
  start: { points: 120, seconds: 3_600 },
  /** Of calls that found nothing to stop. */
  stop: { points: 120, seconds: 60 },
  claim: { points: 30, seconds: 60 },
  order: { points: 20, seconds: 60 },
  guess: { points: 10, seconds: 60 },
  signIn: { points: 60, seconds: 60 },
  rpc: { points: 300, seconds: 60 },
  report: { points: 30, seconds: 60 },
  /** Each may have to be drawn; services that show previews of links request many from few addresses. */
  picture: { points: 120, seconds: 60 },
  /** Tokens that do not hold, by address: each may cost the check of a signature. */
  badToken: { points: 600, seconds: 60 },
};

/**
 * Classes whose budget the handler takes, once there was nothing to do: to stop a running node is never
 * refused for a limit.
 */
export const BY_HANDLER: ReadonlySet<RateClass> = new Set<RateClass>(['stop']);

/** Classes that count by address also with a sign-in: what they report belongs to no user. */
export const BY_ADDRESS: ReadonlySet<RateClass> = new Set<RateClass>(['report']);

/** Largest request body, bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** The same of a message about faults in the page. */
export const CLIENT_ERRORS_LIMIT_BYTES = 16 * 1024;
/** Deepest nesting of a JSON body. */
export const JSON_DEPTH_MAX = 32;
/** How long an Idempotency-Key is kept, ms (services/README.md#sign-in-and-rights). */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
