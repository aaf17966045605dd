import { lru } from '@cord/kit/lru';
import type { LRUCache } from 'lru-cache';
import type { Account } from './account.js';
import { LEDGER_BOUNDS } from './bounds.js';

/**
 * The accounts that this replica wrote last, the least recently used out first. It may be behind: the compare-and-set
 * decides (services/mining/ledger/README.md#outbox-and-relay).
 */
export class AccountCache {
  private readonly accounts: LRUCache<string, Account>;
  /** Of each account the newest state that was announced while its slot stands: the relay does not publish it again. */
  private readonly announcedSeqs: LRUCache<string, bigint>;

  constructor(max: number = LEDGER_BOUNDS.cached) {
    this.accounts = lru(max);
    this.announcedSeqs = lru(max);
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

  /** The state of this seq stands in the stream. */
  announced(userId: string, seq: bigint): void {
    const known = this.announcedSeq(userId);
    if (known === null || known < seq) this.announcedSeqs.set(userId, seq);
  }

  announcedSeq(userId: string): bigint | null {
    return this.announcedSeqs.get(userId) ?? null;
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

  /** Forgets every account; what was announced stays announced. */
  clear(): void {
    this.accounts.clear();
  }
}
