import { nextDayStartMs } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import type { Account } from './account.js';
import { LedgerRefusal } from './refusal.js';
import { type Moment, seal, settle } from './settle.js';

/** Returns the next account, or the same object when nothing changes. */
export type Step = (account: Account, at: Moment) => Account;

/** A contact with a running node that was acknowledged and is not written yet. */
interface Contact {
  readonly sessionId: string | null;
  /** Time of the contact, ms. */
  readonly atMs: number;
  /** The account's seq, and the balance in the response to the contact, micro-CORD. */
  readonly seq: bigint;
  readonly balanceMicro: bigint;
  /** Latest time for its write, ms. */
  readonly dueMs: number;
}

/**
 * A page saves about every ten seconds; its third save, just before `unwrittenMs` are over, is written at once. Otherwise it
 * would be written half a second later, and the next saves would fall between the writes and their announcements.
 */
const KEPT_SHARE = 29 / 30;

/**
 * Returns whether a step changes only the node's time, which the next write settles by the same function: then it need
 * not be written. False when the last written contact is about `unwrittenMs` old, the outbox is not empty, or the
 * address, the rate, the hour or a period changes.
 */
function changesOnlyTime(before: Account, after: Account, unwrittenMs: number): boolean {
  const { node, open, totals } = before;
  return (
    node.status === 'active' &&
    after.node.status === 'active' &&
    // The part of a lease that a crash would lose. Not the time since the last write: commission renews no lease.
    after.node.leaseUntilMs - node.leaseUntilMs < unwrittenMs * KEPT_SHARE &&
    before.outbox.length === 0 &&
    after.outbox.length === 0 &&
    after.announceSeq === before.announceSeq &&
    after.node.addressHash === node.addressHash &&
    after.epoch.id === before.epoch.id &&
    (open.amountMicro === 0n || after.open.rateNano === open.rateNano) &&
    after.totals.day.key === totals.day.key &&
    after.totals.week.key === totals.week.key &&
    after.totals.month.key === totals.month.key
  );
}

/** Returns a running node settled to the time of an acknowledged contact, with its lease renewed. Later changes stay. */
export function settleContact(account: Account, atMs: number, moment: Moment): Account {
  if (account.node.status !== 'active' || atMs === 0) return account;
  return seal(account, { ...settle(account, { ...moment, nowMs: atMs }) }, moment.nowMs, 'sometimes');
}

/**
 * The acknowledged contacts of this replica that are not written. Each waits for the next write of its account, at most `unwrittenMs`
 * after the last one. A crash loses at most that much of a lease and no CORD, since mining is settled from the stored state.
 */
export class Contacts {
  private readonly waiting = new Map<string, Contact>();
  private readonly deferredSteps = new Map<string, { readonly step: Step; readonly dueMs: number }>();

  /**
   * @param max maximum number of waiting contacts, and of accounts with deferred steps; beyond, each is written
   * @param unwrittenMs how much of a lease may be unwritten, and for how long after the account's last write, ms
   */
  constructor(
    private readonly max: number,
    private readonly unwrittenMs: number,
  ) {}

  /** Keeps a contact instead of a write if the step changes only time. Returns false when it must be written. */
  keep(before: Account, after: Account, nowMs: number): boolean {
    const { userId, seq, node } = before;
    const hasRoom = this.waiting.size < this.max || this.waiting.has(userId);
    if (!hasRoom || !changesOnlyTime(before, after, this.unwrittenMs)) return false;
    const atMs = Math.max(nowMs, this.contactAtMs(before));
    const dueMs = node.lastAtMs + this.unwrittenMs;
    this.waiting.set(userId, { sessionId: node.sessionId, atMs, seq, balanceMicro: after.balanceMicro, dueMs });
    return true;
  }

  /**
   * Defers a step of a running node to the account's next write, at most `unwrittenMs` after its last one, behind other deferred
   * steps. A crash loses it. Returns false when it must be written now, as near midnight: it counts for the day of its write.
   */
  defer({ userId, node }: Account, step: Step, nowMs: number): boolean {
    const known = this.deferredSteps.get(userId);
    const dueMs = node.lastAtMs + this.unwrittenMs;
    const hasRoom = this.deferredSteps.size < this.max || known !== undefined;
    // Twice `unwrittenMs`, to leave time for the periodic write.
    const isOverMidnight = dueMs + this.unwrittenMs >= nextDayStartMs(nowMs);
    if (!hasRoom || node.status !== 'active' || dueMs < nowMs || isOverMidnight) return false;
    const both: Step = (account, at) => step(known ? known.step(account, at) : account, at);
    this.deferredSteps.set(userId, { step: both, dueMs: known?.dueMs ?? dueMs });
    return true;
  }

  /** Returns the account after its deferred steps; steps that the ledger refuses are left out. */
  withDeferred(account: Account, at: Moment): Account {
    try {
      return this.deferredSteps.get(account.userId)?.step(account, at) ?? account;
    } catch (error) {
      if (error instanceof LedgerRefusal) return account;
      throw error;
    }
  }

  /** Returns the account with its lease renewed by the contact: until LEASE_MS after it. */
  renew(account: Account): Account {
    const leaseUntilMs = this.contactAtMs(account) + LEASE_MS;
    if (account.node.status !== 'active' || leaseUntilMs <= account.node.leaseUntilMs) return account;
    return { ...account, node: { ...account.node, leaseUntilMs } };
  }

  /** Returns the balance in the last response to the user for this state of the account, micro-CORD. */
  answeredMicro(account: Account): bigint {
    const contact = this.of(account);
    return contact?.seq === account.seq ? contact.balanceMicro : account.balanceMicro;
  }

  /** Notes a write of the account, which includes the contact and the deferred steps. */
  written(userId: string): void {
    this.waiting.delete(userId);
    this.deferredSteps.delete(userId);
  }

  /** Returns the users whose contact or deferred step is due to be written. */
  due(nowMs: number): string[] {
    const users = new Set<string>();
    for (const all of [this.waiting, this.deferredSteps])
      for (const [userId, { dueMs }] of all) if (dueMs < nowMs) users.add(userId);
    return [...users];
  }

  /** Returns the time of the contact that waits for this account's next write, ms; 0 without one. */
  contactAtMs(account: Account): number {
    return this.of(account)?.atMs ?? 0;
  }

  private of({ userId, node }: Account): Contact | undefined {
    const contact = this.waiting.get(userId);
    return contact?.sessionId === node.sessionId ? contact : undefined;
  }
}
