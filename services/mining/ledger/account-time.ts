import { dayStartOf, periodKeys } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import type { Account } from './account.js';

/** Maximum step in an account's time without a fresh comparison of the clock, ms: a lease and an hour. */
const FAR_MS = LEASE_MS + 3_600_000;

/** Start of the account's current day, ms; 0 before the first. An account's time never falls below it. */
export function dayStart({ totals }: Account): number {
  return totals.day.key === '' ? 0 : dayStartOf(totals.day.key);
}

/** Returns the time of a step on an account. A finished day stays finished, even if another replica's clock was ahead. */
export function timeOfStep(account: Account, nowMs: number): number {
  return periodKeys(nowMs).day >= account.totals.day.key ? nowMs : dayStart(account);
}

/**
 * Returns whether a step is far beyond the account's latest activity. With a wrong clock it would do lasting harm,
 * since an account's day never goes back.
 */
export function isLongSinceActivity(account: Account, nowMs: number): boolean {
  const { openedAtMs, node, totals } = account;
  return isLongAgo(Math.max(openedAtMs, node.lastAtMs, totals.allReachedAtMs, dayStart(account)), nowMs);
}

/** Returns whether a time is so far in the past that the clock must be compared first. Also used for the join time of a new account. */
export function isLongAgo(ms: number, nowMs: number): boolean {
  return nowMs - ms > FAR_MS;
}
