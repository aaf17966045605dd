import type { Ledger } from './ledger.js';

/** The sweeper takes what is older than this, ms (money.md, Outbox and relay). */
export const SWEEP_OLDER_THAN_MS = 5_000;
/** Accounts of one batch. */
export const SWEEP_BATCH = 256;
const BACKOFF_FIRST_MS = 5_000;
const BACKOFF_MAX_MS = 300_000;

/** An account that waits for the relay. */
export interface DirtyAccount {
  readonly userId: string;
  readonly dirtyAtMs: number;
  /** Sweeps that failed in a row. */
  readonly failures: number;
}

/** What the sweeper needs beside the ledger; a partition is a range of user ids. */
export interface SweepStore {
  /** Dirty since `dirtyBeforeMs` or longer, the longest first. */
  findDirty(partition: number, dirtyBeforeMs: number, limit: number): Promise<DirtyAccount[]>;
  /** Puts a failed account off, unless it has changed meanwhile. */
  postpone(dirty: DirtyAccount, untilMs: number): Promise<void>;
}

/** How long an account that failed so often waits, ms. */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 10));
}

/**
 * Relays one batch of what the writing replicas left behind (a crash, a bus that was away).
 * @returns how many were relayed, and how many were put off
 */
export async function sweepDirty(
  ledger: Pick<Ledger, 'relay'>,
  store: SweepStore,
  partition: number,
  nowMs: number,
): Promise<{ relayed: number; failed: number }> {
  const batch = await store.findDirty(partition, nowMs - SWEEP_OLDER_THAN_MS, SWEEP_BATCH);
  let failed = 0;
  for (const dirty of batch) {
    try {
      await ledger.relay(dirty.userId);
    } catch {
      failed += 1;
      await store.postpone(dirty, nowMs + backoffMs(dirty.failures));
    }
  }
  return { relayed: batch.length - failed, failed };
}
