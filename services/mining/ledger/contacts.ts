import { nextDayStartMs } from '@cord/contracts/rules/days';
import { LEASE_MS } from '@cord/contracts/rules/timings';
import type { Account } from './account.js';
import { LedgerRefusal } from './refusal.js';
import { type Moment, seal, settle } from './settle.js';

/** Makes the next account; the same one where nothing changes. */
export type Step = (account: Account, at: Moment) => Account;

/** A contact with a running node that was answered and is not written. */
interface Contact {
  readonly sessionId: string | null;
  /** When it was made, ms. */
  readonly atMs: number;
  /** The account's seq, and the balance that the contact was answered with, micro-CORD. */
  readonly seq: bigint;
  readonly balanceMicro: bigint;
  /** When it is to be written at the latest, ms. */
  readonly dueMs: number;
}

/**
 * A page saves each ten seconds, give or take: its third save, a moment before `unwrittenMs` are over, is written itself. Kept, it would be written
 * half a second later, and the next saves would fall between the writes and the announcements that go along with them.
 */
const KEPT_SHARE = 29 / 30;

/**
 * Whether a step changes nothing but the node's time, which the next write settles by the same function: then it need not be written.
 * Not when the last contact that was written is about `unwrittenMs` old, something waits in the outbox, or the address, the rate, the hour or
 * a period is another.
 */
function changesOnlyTime(before: Account, after: Account, unwrittenMs: number): boolean {
  const { node, open, totals } = before;
  return (
    node.status === 'active' &&
    after.node.status === 'active' &&
    // What a crash would lose. Not since the last write: that may be commission, which renews no lease.
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

/** A running node as a contact was answered: settled to its time, the lease renewed. What has happened since stays as it is. */
export function contactWritten(account: Account, atMs: number, moment: Moment): Account {
  if (account.node.status !== 'active' || atMs === 0) return account;
  return seal(account, { ...settle(account, { ...moment, nowMs: atMs }) }, moment.nowMs, 'sometimes');
}

/**
 * The contacts that this replica has answered and not written: each waits for the next write of its account, at the latest until
 * `unwrittenMs` after the last one. A crash loses at most that much of a lease and no CORD, since mining is settled from what is stored.
 */
export class Contacts {
  private readonly waiting = new Map<string, Contact>();
  private readonly putOffs = new Map<string, { readonly step: Step; readonly dueMs: number }>();

  /**
   * @param max contacts that wait at once, and accounts of steps; beyond, each is written
   * @param unwrittenMs how much of a lease may be unwritten, and for how long after the account's last write, ms
   */
  constructor(
    private readonly max: number,
    private readonly unwrittenMs: number,
  ) {}

  /** Keeps a contact in place of a write, if the step changes nothing but time. False when it has to be written. */
  keep(before: Account, after: Account, nowMs: number): boolean {
    const { userId, seq, node } = before;
    const hasRoom = this.waiting.size < this.max || this.waiting.has(userId);
    if (!hasRoom || !changesOnlyTime(before, after, this.unwrittenMs)) return false;
    const atMs = Math.max(nowMs, this.madeAtMs(before));
    const dueMs = node.lastAtMs + this.unwrittenMs;
    this.waiting.set(userId, { sessionId: node.sessionId, atMs, seq, balanceMicro: after.balanceMicro, dueMs });
    return true;
  }

  /**
   * Puts a step off until the next write of an account whose node runs, at the latest until `unwrittenMs` after its last one, behind those that wait.
   * A crash loses it. False when it has to be written, as where it could wait over midnight: it counts for the day in which it is written.
   */
  putOff({ userId, node }: Account, step: Step, nowMs: number): boolean {
    const known = this.putOffs.get(userId);
    const dueMs = node.lastAtMs + this.unwrittenMs;
    const hasRoom = this.putOffs.size < this.max || known !== undefined;
    // As much again for the look that writes it.
    const isOverMidnight = dueMs + this.unwrittenMs >= nextDayStartMs(nowMs);
    if (!hasRoom || node.status !== 'active' || dueMs < nowMs || isOverMidnight) return false;
    const both: Step = (account, at) => step(known ? known.step(account, at) : account, at);
    this.putOffs.set(userId, { step: both, dueMs: known?.dueMs ?? dueMs });
    return true;
  }

  /** The account after what was put off until its next write; what the ledger refuses is left out. */
  withPutOff(account: Account, at: Moment): Account {
    try {
      return this.putOffs.get(account.userId)?.step(account, at) ?? account;
    } catch (error) {
      if (error instanceof LedgerRefusal) return account;
      throw error;
    }
  }

  /** The account with the lease that the contact gives it: until LEASE_MS after it. */
  renew(account: Account): Account {
    const leaseUntilMs = this.madeAtMs(account) + LEASE_MS;
    if (account.node.status !== 'active' || leaseUntilMs <= account.node.leaseUntilMs) return account;
    return { ...account, node: { ...account.node, leaseUntilMs } };
  }

  /** The balance that the user was last answered with of this state of the account, micro-CORD. */
  answeredMicro(account: Account): bigint {
    const contact = this.of(account);
    return contact?.seq === account.seq ? contact.balanceMicro : account.balanceMicro;
  }

  /** The account was written, with the contact and what was put off in it. */
  written(userId: string): void {
    this.waiting.delete(userId);
    this.putOffs.delete(userId);
  }

  /** Users whose contact, or what was put off, is to be written by now. */
  due(nowMs: number): string[] {
    const users = new Set<string>();
    for (const all of [this.waiting, this.putOffs])
      for (const [userId, { dueMs }] of all) if (dueMs < nowMs) users.add(userId);
    return [...users];
  }

  /** When the contact that waits for this account's next write was made, ms; 0 without one. */
  madeAtMs(account: Account): number {
    return this.of(account)?.atMs ?? 0;
  }

  private of({ userId, node }: Account): Contact | undefined {
    const contact = this.waiting.get(userId);
    return contact?.sessionId === node.sessionId ? contact : undefined;
  }
}
