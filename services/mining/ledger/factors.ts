import type { Account } from './account.js';
import { withoutAddresses } from './addresses.js';
import { closeCommission, closeOpen, type Moment, outboxRoom, seal, settle } from './settle.js';

/* Changes of one user's rate: earnings at the old rate are settled first and become an entry. */

/** Marks the badge as owned. Idempotent. */
export function badgeStep(account: Account, moment: Moment): Account {
  if (account.factors.badge || account.erasedAtMs !== null) return account;
  const closed = closeOpen(settle(account, moment), moment);
  return seal(account, { ...closed, factors: { ...closed.factors, badge: true } }, moment.nowMs, 'now');
}

/** Applies an assessment of the network check. One that is not newer than the current one changes nothing. */
export function antiCheatStep(account: Account, assessedSeq: bigint, hundredths: bigint, moment: Moment): Account {
  if (assessedSeq <= account.factors.antiCheatSeq || account.erasedAtMs !== null) return account;
  const same = hundredths === account.factors.antiCheatHundredths;
  const settled = settle(account, moment);
  const closed = same ? settled : closeOpen(settled, moment);
  const factors = { ...closed.factors, antiCheatSeq: assessedSeq, antiCheatHundredths: hundredths };
  return seal(account, { ...closed, factors }, moment.nowMs, same ? 'sometimes' : 'now');
}

/**
 * Erases the account: the node stops, its earnings stay in the balance, and no more credits or announcements follow.
 * The entries stay under the random id; identifying data is removed.
 */
export function eraseStep(account: Account, moment: Moment): Account {
  if (account.erasedAtMs !== null) return account;
  const earned = settle(account, moment);
  const mined = outboxRoom(earned, moment) > 0 ? closeOpen(earned, moment) : earned;
  const settled = outboxRoom(mined, moment) > 0 ? closeCommission(mined, moment.nowMs) : mined;
  const next: Account = {
    ...settled,
    erasedAtMs: moment.nowMs,
    node: { ...withoutAddresses(settled.node), status: 'idle' },
    factors: { ...settled.factors, discordCreatedAtMs: 0 },
    chain: { ...settled.chain, salt: '' },
    announceSeq: null,
  };
  return seal(account, next, moment.nowMs, 'now');
}
