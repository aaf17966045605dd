import { LEASE_MS } from '@cord/contracts/rules/timings';
import type { Account } from '../ledger/account.js';
import { forgetsAtMs, mustPublish, withoutAddresses } from '../ledger/addresses.js';
import { OUTBOX_RESERVE } from '../ledger/bounds.js';
import { refuse } from '../ledger/refusal.js';
import { closeOpen, type Moment, outboxRoom, pushNodeEvent, seal, settle } from '../ledger/settle.js';

/* The user's actions on the node as pure steps on the account (services/mining/ledger/README.md#accrual). */

/** Id and address of a new session, created by the caller so that the step is pure. */
interface NewSession {
  readonly sessionId: string;
  /** Keyed hash of the address; null when none counts. */
  readonly addressHash: string | null;
}

/**
 * Starts a new session. On a running node it keeps the session and counts as a contact.
 * @throws LedgerRefusal `erased-user`, `outbox-full`
 */
export function startStep(account: Account, session: NewSession, moment: Moment): Account {
  if (account.erasedAtMs !== null) throw refuse('erased-user', 'This user was erased.');
  const settled = settle(account, moment);
  if (settled.node.status === 'active') {
    if (moment.nowMs < settled.node.leaseUntilMs) return contactStep(account, moment, session.addressHash);
    throw refuse('outbox-full', 'Too much is waiting to be written. Try again.');
  }
  const startedAtMs = Math.max(moment.nowMs, settled.node.lastAtMs);
  const started: Account = {
    ...settled,
    node: {
      ...settled.node,
      status: 'active',
      sessionId: session.sessionId,
      startedAtMs,
      lastAtMs: startedAtMs,
      leaseUntilMs: startedAtMs + LEASE_MS,
      sessionMicro: 0n,
      sessionMs: 0,
      firstStartedAtMs: settled.node.firstStartedAtMs ?? startedAtMs,
      addressHash: session.addressHash,
    },
  };
  return seal(account, pushNodeEvent(started, 'started', moment), moment.nowMs, 'now');
}

/**
 * A save, or a read of the running session: settles and renews the lease. An idle or paused node is unchanged.
 * @param addressHash origin of the contact: later earnings count for it (services/contracts/rules/README.md#network-check);
 * null when no address counts, undefined when the contact keeps the last address
 */
export function contactStep(account: Account, moment: Moment, addressHash?: string | null): Account {
  const settled = settle(account, moment);
  const { node } = settled;
  if (node.status !== 'active' || moment.nowMs >= node.leaseUntilMs) {
    return seal(account, settled, moment.nowMs, 'sometimes');
  }
  const leaseUntilMs = Math.max(node.leaseUntilMs, moment.nowMs + LEASE_MS);
  const seenAt = addressHash === undefined ? node.addressHash : addressHash;
  const changes = leaseUntilMs !== node.leaseUntilMs || seenAt !== node.addressHash;
  const next = changes ? { ...settled, node: { ...node, leaseUntilMs, addressHash: seenAt } } : settled;
  return seal(account, publishAddressesIfDue(next, moment), moment.nowMs, 'sometimes');
}

/** Publishes the addresses of a running node when due. A full outbox skips it, so no contact is refused for it. */
function publishAddressesIfDue(account: Account, moment: Moment): Account {
  const hasRoom = outboxRoom(account, moment) > OUTBOX_RESERVE;
  return hasRoom && mustPublish(account.node, moment.nowMs) ? pushNodeEvent(account, 'started', moment) : account;
}

/** Ends an expired lease, as the sweep does. A lease that was renewed meanwhile is unchanged. */
export function expireStep(account: Account, moment: Moment): Account {
  if (account.node.status !== 'active' || moment.nowMs < account.node.leaseUntilMs) return account;
  return seal(account, settle(account, moment), moment.nowMs, 'now');
}

/**
 * Forgets the addresses of a node that has not run for 30 days, as the sweep does. Publishes the node once more without
 * them, so that readers of the stream drop them too. It earns nothing.
 */
export function forgetStep(account: Account, moment: Moment): Account {
  const dueMs = forgetsAtMs(account.node);
  if (account.erasedAtMs !== null || dueMs === null || moment.nowMs < dueMs) return account;
  if (outboxRoom(account, moment) <= OUTBOX_RESERVE) return account;
  const forgotten: Account = { ...account, node: withoutAddresses(account.node) };
  const verb = account.node.status === 'paused' ? 'paused' : 'stopped';
  return seal(account, pushNodeEvent(forgotten, verb, moment, true), moment.nowMs, 'sometimes');
}

/**
 * Stops the node: settles and ends the session. An idle node is unchanged; a paused one becomes idle.
 * @throws LedgerRefusal `outbox-full`
 */
export function stopStep(account: Account, moment: Moment): Account {
  const settled = settle(account, moment);
  if (settled.node.status === 'idle') return account;
  const ended =
    settled.node.status === 'active' ? pushNodeEvent(closeOpen(settled, moment), 'stopped', moment) : settled;
  return seal(account, { ...ended, node: { ...ended.node, status: 'idle' } }, moment.nowMs, 'now');
}
