import type { Account, Entry, FinishedDay, OutboxItem } from './account.js';
import type { SessionRecord } from './session-record.js';

/**
 * What the ledger needs from a document store. Every call is one atomic operation on one document, or a read of what no failover takes
 * back; any of them may fail with its effect done or not done.
 */
export interface LedgerStore {
  read(userId: string): Promise<Account | null>;
  /** Inserts a new account. False when there is one. */
  insert(account: Account): Promise<boolean>;
  /**
   * Writes `next` where the account still has the seq of `before`: state set, new outbox items appended, the account
   * marked as dirty when there is something to relay (account-write.ts).
   * False when another wrote meanwhile.
   * @param announcedSeq a state of this account that is known to stand in the stream: it waits for no sweeper
   */
  compareAndSet(before: Account, next: Account, nowMs: number, announcedSeq: bigint | null): Promise<boolean>;
  /** The written entry of a key, which names its user (credit-rules.ts). */
  findEntry(userId: string, key: string): Promise<Entry | null>;
  /** Writes entries where none of that key stands; one that stands is left as it is. */
  putEntries(entries: readonly Entry[]): Promise<void>;
  /** Writes days that are over, by user and day: the same day again changes nothing. */
  putDays(days: readonly FinishedDay[]): Promise<void>;
  /** Writes final session records, the same way. */
  putSessions(sessions: readonly SessionRecord[]): Promise<void>;
  /** Takes out all of an erased user; may be repeated. */
  removeSessions(userId: string): Promise<void>;
  /**
   * Empties outbox, slot and dirty mark where nothing was written since `seq` and nothing stands that was not relayed.
   * False, and nothing is done, when something was or does.
   */
  clearOutbox(userId: string, seq: bigint, relayed: Relayed): Promise<boolean>;
  /** Pulls relayed items by {key, seq}, and empties the slot unless a later change than was announced requested it again. */
  pullOutbox(userId: string, relayed: Relayed): Promise<void>;
}

/** What one round of the relay has carried out. */
export interface Relayed {
  readonly items: readonly OutboxItem[];
  /** The state that was announced; null when none was. */
  readonly announcedSeq: bigint | null;
}

/** Where events go. Publishing the same message id again within the stream's window does nothing. */
export interface LedgerBus {
  /** balance.changed with the whole state of the account at its seq, unless the stream holds that state or a newer one. */
  publishBalance(account: Account): Promise<void>;
  /** node.started, node.paused or node.stopped. */
  publishNode(item: Extract<OutboxItem, { kind: 'node' }>): Promise<void>;
  /** Takes all of an erased user out again; may be repeated. */
  withdraw(userId: string): Promise<void>;
}
