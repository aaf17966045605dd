import type { Account } from './account.js';
import { dayMicro } from './credit-rules.js';
import { DAY_LIMITS } from './credit-table.js';
import { refuse } from './refusal.js';
import { closeCommission, commissionIsOver, type Moment, outboxRoom, seal, settle, turnDay } from './settle.js';
import { addToTotals } from './totals.js';

/** A running total that its owner reports, again and again (services/mining/ledger/README.md#commission). */
export interface Reported {
  /** micro-CORD of this source in all, as its owner has it. */
  readonly totalMicro: bigint;
  /** What one step takes at most, micro-CORD; its owner reports the rest next. */
  readonly stepMostMicro: bigint;
}

/**
 * Takes the account's commission up to the reported total. The account's own total of the source is the total of the series: one
 * that is not larger changes nothing, so that a repeated, late or lost answer costs nothing. What comes stands open and
 * becomes one entry an hour. A step takes at most what the user's day has room for.
 * @throws LedgerRefusal `erased-user`, `day-limit`
 */
export function commissionStep(account: Account, reported: Reported, moment: Moment): Account {
  if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');
  const knownMicro = account.totals.bySource.commission ?? 0n;
  if (reported.totalMicro <= knownMicro) return account;
  const dueMicro = reported.totalMicro - knownMicro;
  const settled = turnDay(settle(account, moment), moment.nowMs);
  const before = closedWhenOver(settled, moment);
  const limitMicro = (moment.dayLimits ?? DAY_LIMITS).commission?.micro ?? reported.stepMostMicro;
  const roomMicro = limitMicro - dayMicro(before, 'commission', moment.nowMs);
  if (roomMicro <= 0n) throw refuse('day-limit', "The user's daily limit for commission is reached.");
  const amountMicro = [dueMicro, reported.stepMostMicro, roomMicro].reduce((a, b) => (a < b ? a : b));
  const { openCommission: open } = before;
  const next: Account = {
    ...before,
    balanceMicro: before.balanceMicro + amountMicro,
    openCommission: {
      ...open,
      sinceMs: open.amountMicro === 0n ? moment.nowMs : open.sinceMs,
      amountMicro: open.amountMicro + amountMicro,
    },
    totals: addToTotals(before.totals, {
      source: 'commission',
      amountMicro,
      countsAtMs: moment.nowMs,
      reachedAtMs: moment.nowMs,
      ranMs: 0,
    }),
  };
  return seal(account, next, moment.nowMs, 'now');
}

/** What the sweep does to commission that stands open from an hour that is over; any other stays as it is. */
export function closeCommissionStep(account: Account, moment: Moment): Account {
  if (!closes(account, moment)) return account;
  return seal(account, closedWhenOver(settle(account, moment), moment), moment.nowMs, 'sometimes');
}

function closedWhenOver(account: Account, moment: Moment): Account {
  return closes(account, moment) ? closeCommission(account, moment.nowMs) : account;
}

function closes(account: Account, moment: Moment): boolean {
  return commissionIsOver(account, moment.nowMs) && outboxRoom(account, moment) > 0;
}
