import type { Account, Entry } from './account.js';
import { assertFits, type Credit, withCredit } from './credit-rules.js';
import { refuse } from './refusal.js';
import type { Draft } from './sealing.js';
import { closeOpen, endDayBefore, type Moment, pushEntry, seal, settle } from './settle.js';
import { addToTotals } from './totals.js';

/**
 * Writes a credit into the account: closes open mining into an entry first, then appends the credit's entry.
 * The caller has searched for the key before (outbox, then entries).
 * @throws LedgerRefusal `erased-user`, `outbox-full`, `amount-not-allowed`, `key-not-allowed`, `key-early`, `day-limit`, `below-zero`
 */
export function creditStep(account: Account, credit: Credit, moment: Moment): Account {
  if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');
  const closed = endDayBefore(closeOpen(settle(account, moment), moment), moment.nowMs);
  assertFits(closed, credit, moment);
  const balanceMicro = closed.balanceMicro + credit.amountMicro;
  if (balanceMicro - closed.openCommission.amountMicro < 0n)
    throw refuse('below-zero', 'The balance would fall below zero.');
  const draft: Draft = {
    key: credit.key,
    seq: closed.seq + 1n,
    source: credit.source,
    amountMicro: credit.amountMicro,
    balanceMicro: balanceMicro - closed.openCommission.amountMicro,
    atMs: moment.nowMs,
    reason: credit.reason,
    facts: '',
  };
  const pushed = pushEntry(closed, draft, moment);
  const totals = addToTotals(pushed.totals, {
    source: credit.source,
    amountMicro: credit.amountMicro,
    countsAtMs: moment.nowMs,
    reachedAtMs: moment.nowMs,
    ranMs: 0,
  });
  const credited = withCredit(closed, credit.source, moment.nowMs);
  return seal(account, { ...pushed, balanceMicro, totals, credited }, moment.nowMs, 'now');
}

/** Returns the entry of a key in the outbox, or null. */
export function entryInOutbox(account: Account, key: string): Entry | null {
  for (const item of account.outbox) if (item.kind === 'entry' && item.key === key) return item.entry;
  return null;
}

/**
 * Requires that a repeated key means the same credit.
 * @throws LedgerRefusal `key-conflict` when user, source or amount differ from the stored entry.
 */
export function assertSameCredit(entry: Entry, credit: Credit): void {
  const same =
    entry.userId === credit.userId && entry.source === credit.source && entry.amountMicro === credit.amountMicro;
  if (!same) throw refuse('key-conflict', `Key ${credit.key} was used for another credit.`);
}
