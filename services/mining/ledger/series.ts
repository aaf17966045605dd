import type { Account } from './account.js';
import { dayMicro } from './credit-rules.js';
import { DAY_LIMITS } from './credit-table.js';
import { refuse } from './refusal.js';
import { closeCommission, endDayBefore, isCommissionOver, type Moment, outboxRoom, seal, settle } from './settle.js';
import { addToTotals } from './totals.js';

/** A running total that its owner reports repeatedly (services/mining/ledger/README.md#commission). */
export interface Reported {
  /** Total of the source as its owner has it, micro-CORD. */
  readonly totalMicro: bigint;
  /** Maximum amount of one step, micro-CORD; the owner reports the rest later. */
  readonly stepMostMicro: bigint;
}

/**
 * Raises the account's commission to the reported total. The account's own total of the source is compared with it: one
 * that is not larger changes nothing, so a repeated, late or lost report is harmless. The increase is open first and
 * becomes one entry an hour. A step is limited by the room in the user's day.
 * @throws LedgerRefusal `erased-user`, `day-limit`
 */
export function commissionStep(account: Account, reported: Reported, moment: Moment): Account {
  if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');
  const knownMicro = account.totals.bySource.commission ?? 0n;
  if (reported.totalMicro <= knownMicro) return account;
  const dueMicro = reported.totalMicro - knownMicro;
  const settled = endDayBefore(settle(account, moment), moment.nowMs);
  const before = closeIfOver(settled, moment);
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

/** Closes open commission of a finished hour, as the sweep does; any other stays open. */
export function closeCommissionStep(account: Account, moment: Moment): Account {
  if (!canClose(account, moment)) return account;
  return seal(account, closeIfOver(settle(account, moment), moment), moment.nowMs, 'sometimes');
}

function closeIfOver(account: Account, moment: Moment): Account {
  return canClose(account, moment) ? closeCommission(account, moment.nowMs) : account;
}

function canClose(account: Account, moment: Moment): boolean {
  return isCommissionOver(account, moment.nowMs) && outboxRoom(account, moment) > 0;
}
