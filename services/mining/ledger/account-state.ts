import type { AccountState } from '@cord/contracts/events/balance';
import { microToString } from '@cord/contracts/rules/money';
import type { Account, Period } from './account.js';
import { rateAt } from './accrual.js';
import type { Moment } from './settle.js';

/** The account as in balance.changed and the ledger's replies: state, not a delta; amounts are decimal strings. */
export function accountState(account: Account, moment: Moment): AccountState {
  const { totals, node, epoch } = account;
  const running = node.status === 'active';
  const known = node.status !== 'idle';
  const sources = Object.entries(totals.bySource).map(([source, micro]) => [source, microToString(micro ?? 0n)]);
  return {
    balance: microToString(account.balanceMicro),
    total: microToString(totals.allMicro),
    totalReachedAt: totals.allReachedAtMs,
    day: periodTotal(totals.day),
    week: periodTotal(totals.week),
    month: periodTotal(totals.month),
    bySource: Object.fromEntries(sources),
    node: {
      status: node.status,
      sessionId: known ? node.sessionId : null,
      startedAt: known ? node.startedAtMs : null,
      creditedUntil: known ? node.lastAtMs : null,
      leaseUntil: running ? node.leaseUntilMs : null,
      rateNano: microToString(running ? rateAt(account.factors, moment.epochs, moment.nowMs).rateNano : 0n),
      ranMs: node.ranMs,
    },
    epoch: { id: epoch.id, joinedAt: epoch.joinedAtMs, micro: microToString(epoch.micro) },
  };
}

function periodTotal(period: Period): AccountState['day'] {
  return {
    key: period.key,
    micro: microToString(period.micro),
    miningMicro: microToString(period.miningMicro),
    reachedAt: period.reachedAtMs,
  };
}
