import { DAY_LIMITS } from './credit-table.js';

/**
 * Every bound of the ledger's loops, queues and caches. They are parameters because money could be lost at a bound: the
 * proofs run the same code with the smallest values too.
 */
export type LedgerBounds = Readonly<typeof LEDGER_BOUNDS>;

/** A smaller outbox could never hold a step that pauses a node and starts it again, even when empty. */
export const OUTBOX_LEAST = 3;

export const LEDGER_BOUNDS = {
  /** Number of compare-and-sets lost on fresh reads before the call is refused as busy. */
  tries: 32,
  /** Maximum number of calls that wait for one user's account in one replica; beyond, 503. */
  waiting: 256,
  /** Maximum number of accounts that a replica caches; about 2 KB each. */
  cached: 20_000,
  /**
   * How long after its last write a contact that changes only time may stay unwritten, ms; 0 writes each one. A crash
   * may lose this much of a lease.
   */
  unwrittenMs: 30_000,
  /** Maximum number of rounds of one relay; the rest is left to the sweeper. A round fails only on a concurrent write. */
  relayRounds: 8,
  /** Maximum number of entries scanned for one page of one source. */
  looked: 5_000,
  /** Maximum items in an outbox; a full one causes 503 and a retry with the same key (services/mining/ledger/README.md#outbox-and-relay). At least OUTBOX_LEAST. */
  outbox: 64,
  /** Limits of a user's UTC day by source; beyond, 503 and a retry with the same key the next day. */
  dayLimits: DAY_LIMITS,
  /** Maximum age of the last read of the stored epochs at a step, ms; below EPOCHS_AHEAD_MS minus the clock differences. */
  epochsAgeMs: 4_000,
};

/** Outbox room reserved for credits and stops: with less room, open mining is not closed at the turn of the hour. */
export const OUTBOX_RESERVE = 16;
