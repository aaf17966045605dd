import { DAY_LIMITS } from './credit-table.js';

/**
 * Every bound of the ledger's loops, queues and memories. They are parameters, because what a bound cuts off is where
 * money gets lost: the proofs run the same code at the smallest ones too.
 */
export type LedgerBounds = Readonly<typeof LEDGER_BOUNDS>;

/** Below this a step that pauses a node and starts it again would never fit into an empty outbox. */
export const OUTBOX_LEAST = 3;

export const LEDGER_BOUNDS = {
  /** Compare-and-sets lost on fresh reads before the caller is answered to come back. */
  tries: 32,
  /** Calls that wait for one user's account in one replica; beyond, 503. */
  waiting: 256,
  /** Accounts that a replica keeps in memory; about 2 KB each. */
  cached: 20_000,
  /**
   * How long after its last write an account need not be written for a contact that changes nothing but time, ms; at 0 each contact is.
   * So much of a lease a crash may lose.
   */
  unwrittenMs: 30_000,
  /** Rounds of one relay before it leaves the rest to the sweeper; each is lost only to a write in between. */
  relayRounds: 8,
  /** Entries that a page of one source looks through for it. */
  looked: 5_000,
  /** Items that an outbox holds; full means 503 and the same key again (services/mining/ledger/README.md#outbox-and-relay). At least OUTBOX_LEAST. */
  outbox: 64,
  /** What a user's UTC day takes of each source; beyond, 503 and the same key the day after. */
  dayLimits: DAY_LIMITS,
  /** How old the last read of the stored epochs may be when a step is made, ms; less than EPOCHS_AHEAD_MS without what clocks differ by. */
  epochsAgeMs: 4_000,
};

/** Room that is kept for credits and stops: with less of it, open mining stays open at the turn of the hour. */
export const OUTBOX_RESERVE = 16;
