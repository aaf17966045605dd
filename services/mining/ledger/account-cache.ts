import { lru } from '@cord/kit/lru';
import type { LRUCache } from 'lru-cache';
import type { Account } from './account.js';
import { LEDGER_BOUNDS } from './bounds.js';

/**
 * LRU cache of the accounts that this replica wrote last. It may be stale: the compare-and-set decides
 * (services/mining/ledger/README.md#outbox-and-relay).
 */
export class AccountCache {
  private readonly accounts: LRUCache<string, Account>;
  /** The newest announced seq of each account. The relay does not publish it again while the slot is still set. */
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

  /** Caches the account unless a newer one is cached. */
  put(account: Account): void {
    const known = this.accounts.get(account.userId);
    if (!known || known.seq <= account.seq) this.accounts.set(account.userId, account);
  }

  /** Notes that the state of this seq is in the stream. */
  announced(userId: string, seq: bigint): void {
    const known = this.announcedSeq(userId);
    if (known === null || known < seq) this.announcedSeqs.set(userId, seq);
  }

  announcedSeq(userId: string): bigint | null {
    return this.announcedSeqs.get(userId) ?? null;
  }

  /** Notes a relay: everything up to this seq has left the outbox. */
  relayed(userId: string, seq: bigint): void {
    const known = this.accounts.get(userId);
    if (!known) return;
    const announceSeq = known.announceSeq !== null && known.announceSeq > seq ? known.announceSeq : null;
    this.accounts.set(userId, { ...known, outbox: known.outbox.filter((item) => item.seq > seq), announceSeq });
  }

  forget(userId: string): void {
    this.accounts.delete(userId);
  }

  /** Forgets every account, but not the announced seqs. */
  clear(): void {
    this.accounts.clear();
  }
}
