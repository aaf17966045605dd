import { createLru, type Lru } from '@cord/kit/lru';
import type { Account } from './account.js';
import { LEDGER_BOUNDS } from './bounds.js';

/**
 * The accounts that this replica wrote last, the least recently used out first. It may be behind: the compare-and-set
 * tells (money.md, Outbox and relay).
 */
export class AccountCache {
  private readonly accounts: Lru<string, Account>;

  constructor(max: number = LEDGER_BOUNDS.cached) {
    this.accounts = createLru(max);
  }

  get size(): number {
    return this.accounts.size;
  }

  get(userId: string): Account | null {
    return this.accounts.get(userId) ?? null;
  }

  /** Keeps the account unless a newer one is known. */
  put(account: Account): void {
    const known = this.accounts.get(account.userId);
    if (!known || known.seq <= account.seq) this.accounts.set(account.userId, account);
  }

  /** After a relay: everything up to this seq has left the outbox. */
  relayed(userId: string, seq: bigint): void {
    const known = this.accounts.get(userId);
    if (!known) return;
    const announceSeq = known.announceSeq !== null && known.announceSeq > seq ? known.announceSeq : null;
    this.accounts.set(userId, { ...known, outbox: known.outbox.filter((item) => item.seq > seq), announceSeq });
  }

  forget(userId: string): void {
    this.accounts.delete(userId);
  }
}
