import { dayStartOf, periodKeys } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import type { Account } from './account.js';

/** Further than this no step takes an account's time by a clock that was not compared just now, ms: a lease and an hour. */
const FAR_MS = LEASE_MS + 3_600_000;

/** Start of the account's present day, ms; 0 before the first. An account's time is never before it. */
export function dayStart({ totals }: Account): number {
  return totals.day.key === '' ? 0 : dayStartOf(totals.day.key);
}

/** The time of a step on an account: with another replica's clock ahead, a day that is over stays over. */
export function timeOfStep(account: Account, nowMs: number): number {
  return periodKeys(nowMs).day >= account.totals.day.key ? nowMs : dayStart(account);
}

/**
 * Whether a step at a time takes the account so far from all that it has lived through, that a clock that is wrong would do lasting
 * harm: the account's day never goes back.
 */
export function isFar(account: Account, nowMs: number): boolean {
  const { openedAtMs, node, totals } = account;
  return isFarFrom(Math.max(openedAtMs, node.lastAtMs, totals.allReachedAtMs, dayStart(account)), nowMs);
}

/** Whether a time is so far behind now that the clock is to be compared first; also of an account that is to be opened for who came then. */
export function isFarFrom(ms: number, nowMs: number): boolean {
  return nowMs - ms > FAR_MS;
}
