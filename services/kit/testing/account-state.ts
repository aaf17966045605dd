import type { AccountState } from '@cord/contracts/events/balance';

/** Returns an account without mining or earnings, except for the fields in `known`. */
export function restingAccount({
  node,
  ...known
}: Partial<Omit<AccountState, 'node'>> & { node?: Partial<AccountState['node']> } = {}): AccountState {
  const balance = known.balance ?? '0';
  const period = { key: '', micro: balance, miningMicro: '0', reachedAt: 0 };
  return {
    balance,
    total: balance,
    totalReachedAt: 0,
    day: period,
    week: period,
    month: period,
    bySource: {},
    epoch: { id: null, joinedAt: null, micro: '0' },
    ...known,
    node: {
      status: 'idle',
      sessionId: null,
      startedAt: null,
      creditedUntil: null,
      leaseUntil: null,
      rateNano: '0',
      ranMs: 0,
      ...node,
    },
  };
}
