import type { AccountState } from '@cord/contracts/events/balance';
import { dayKey, monthKey, weekKey } from '@cord/contracts/rules/days';
import { restingAccount } from '@cord/kit/testing/account-state';

/** Returns an account that earned everything at one time. @param micro micro-CORD as text */
export function earnedAt(at: number, micro: string, known: Parameters<typeof restingAccount>[0] = {}): AccountState {
  const period = (key: string) => ({ key, micro, miningMicro: micro, reachedAt: at });
  const periods = { day: period(dayKey(at)), week: period(weekKey(at)), month: period(monthKey(at)) };
  return restingAccount({ balance: micro, totalReachedAt: at, ...periods, ...known });
}
