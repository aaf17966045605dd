import type { Account, FinishedDay } from '../ledger/account.js';
import { daysWaiting } from '../ledger/waiting.js';

/**
 * The days that an account holds itself, each as it stands: those that are over and wait for the relay, and its present
 * one, with what is open. They are newer than what stands in the store under the same key.
 * @param account settled to now
 */
export function daysInAccount(account: Account): FinishedDay[] {
  const { userId, totals } = account;
  const waiting = daysWaiting(account);
  const { key: dayKey, bySource, ranMs } = totals.day;
  return dayKey === '' ? waiting : [...waiting, { userId, dayKey, bySource, ranMs }];
}

/** Each day once. @param later of a day that comes twice, this one counts */
export function eachOnce(earlier: readonly FinishedDay[], later: readonly FinishedDay[]): FinishedDay[] {
  return [...new Map([...earlier, ...later].map((day) => [day.dayKey, day])).values()];
}
