import type { Account, Entry, FinishedDay, OutboxItem } from './account.js';
import type { SessionRecord } from './session-record.js';

/**
 * The document store of the ledger. Every call is one atomic operation on one document, or a read that no failover
 * rolls back. Any call may fail with its effect done or not done.
 */
export interface LedgerStore {
  read(userId: string): Promise<Account | null>;
  /** Inserts a new account. Returns false when it exists. */
  insert(account: Account): Promise<boolean>;
  /**
   * Writes `next` if the account still has the seq of `before`: sets the state, appends the new outbox items, and marks
   * the account as dirty when there is something to relay (account-write.ts). Returns false after a concurrent write.
   * @param announcedSeq a state of this account known to be in the stream: it needs no sweeper
   */
  compareAndSet(before: Account, next: Account, nowMs: number, announcedSeq: bigint | null): Promise<boolean>;
  /** Returns the stored entry of a key; the key names its user (credit-rules.ts). */
  findEntry(userId: string, key: string): Promise<Entry | null>;
  /** Inserts entries; an existing entry of the same key is unchanged. */
  putEntries(entries: readonly Entry[]): Promise<void>;
  /** Inserts finished days, by user and day; a repeated day changes nothing. */
  putDays(days: readonly FinishedDay[]): Promise<void>;
  /** Inserts final session records in the same way. */
  putSessions(sessions: readonly SessionRecord[]): Promise<void>;
  /** Deletes all sessions of an erased user; idempotent. */
  removeSessions(userId: string): Promise<void>;
  /**
   * Empties outbox, slot and dirty mark if nothing was written since `seq` and everything was relayed. Otherwise
   * returns false without a change.
   */
  clearOutbox(userId: string, seq: bigint, relayed: Relayed): Promise<boolean>;
  /** Pulls relayed items by {key, seq}. Empties the slot unless a change later than the announced one requested it again. */
  pullOutbox(userId: string, relayed: Relayed): Promise<void>;
}

/** The items that one round of the relay has carried out. */
export interface Relayed {
  readonly items: readonly OutboxItem[];
  /** The announced state; null when none was announced. */
  readonly announcedSeq: bigint | null;
}

/** Publisher of the ledger's events. A repeated message id within the stream's window has no effect. */
export interface LedgerBus {
  /** Publishes balance.changed with the account's whole state at its seq, unless the stream holds that state or a newer one. */
  publishBalance(account: Account): Promise<void>;
  /** Publishes node.started, node.paused or node.stopped. */
  publishNode(item: Extract<OutboxItem, { kind: 'node' }>): Promise<void>;
  /** Removes all events of an erased user; idempotent. */
  withdraw(userId: string): Promise<void>;
}
