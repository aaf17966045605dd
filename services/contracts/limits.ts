import type { RateClass } from './endpoint.js';

/** A rate limit: `points` calls in `seconds`. */
interface RateLimit {
  points: number;
  seconds: number;
}

/**
 * Rate limits by class, per user and budget (per address without a sign-in). A budget is one route, or all
 * routes that do the same.
 * The app's own polling in ten tabs stays below half of each.
 */
export const RATE_LIMITS: Readonly<Record<RateClass, RateLimit>> = {
  read: { points: 900, seconds: 60 },
  save: { points: 600, seconds: 60 },
  write: { points: 120, seconds: 60 },
  /** Each session leaves a document and two events for good: no user needs one a minute for hours. */
  start: { points: 120, seconds: 3_600 },
  /** Counts only calls that found nothing to stop. */
  stop: { points: 120, seconds: 60 },
  claim: { points: 30, seconds: 60 },
  order: { points: 20, seconds: 60 },
  guess: { points: 10, seconds: 60 },
  signIn: { points: 60, seconds: 60 },
  rpc: { points: 300, seconds: 60 },
  report: { points: 30, seconds: 60 },
  /** Each may have to be drawn; link preview services request many from few addresses. */
  picture: { points: 120, seconds: 60 },
  /** Invalid tokens per address: each may cost a signature check. */
  badToken: { points: 600, seconds: 60 },
};

/**
 * Classes whose budget the handler takes, only when there was nothing to do: stopping a running node is never
 * rate limited.
 */
export const BY_HANDLER: ReadonlySet<RateClass> = new Set<RateClass>(['stop']);

/** Classes limited by address even with a sign-in: their reports belong to no user. */
export const BY_ADDRESS: ReadonlySet<RateClass> = new Set<RateClass>(['report']);

/** Largest request body, bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;
/** Largest body of a message of page faults, bytes. */
export const CLIENT_ERRORS_LIMIT_BYTES = 16 * 1024;
/** Deepest nesting of a JSON body. */
export const JSON_DEPTH_MAX = 32;
/** How long an Idempotency-Key is kept, ms (services/README.md#sign-in-and-rights). */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
