import type { Account, FinishedDay } from '../ledger/account.js';
import { daysWaiting } from '../ledger/waiting.js';

/**
 * Returns the days that the account itself holds: finished days that wait for the relay, and the current day with its
 * open amounts. They are newer than stored days of the same key.
 * @param account settled to now
 */
export function daysInAccount(account: Account): FinishedDay[] {
  const { userId, totals } = account;
  const waiting = daysWaiting(account);
  const { key: dayKey, bySource, ranMs } = totals.day;
  return dayKey === '' ? waiting : [...waiting, { userId, dayKey, bySource, ranMs }];
}

/** Merges days by key. @param later wins over `earlier` for the same day */
export function mergeDays(earlier: readonly FinishedDay[], later: readonly FinishedDay[]): FinishedDay[] {
  return [...new Map([...earlier, ...later].map((day) => [day.dayKey, day])).values()];
}
