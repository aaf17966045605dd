import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { createRefreshed, type Refreshed } from '@cord/kit/shared';
import { type EpochTimes, epochTable, NO_EPOCHS } from './epochs.js';
import { refuse } from './refusal.js';

/** The epoch table that this replica settles by: the highest version seen. */
export type EpochsInUse = ReturnType<typeof createEpochsInUse>;

export function createEpochsInUse() {
  let inUse = NO_EPOCHS;
  return {
    table: () => inUse,
    /**
     * Accepts a newer table. Without books, the current books stay.
     * @returns whether it was accepted
     */
    offer(version: bigint, rows: readonly EpochTimes[], books: readonly RuleBook[] = inUse.books) {
      if (version <= inUse.version) return false;
      inUse = epochTable(version, rows, books);
      return true;
    },
  };
}

/**
 * Keeps the table fresh. A change of epochs comes over NATS and is stored by the first replica that receives it
 * (../epochs.ts). The others settle only by a table read from the store within `ageMs`, which is shorter than the delay
 * between a change and its effect. `ensureFresh` throws LedgerRefusal `epochs-old`.
 * @param ageMs maximum age of the last read, ms
 * @param steady a monotonic clock, ms
 */
export function createFreshEpochs(
  epochs: EpochsInUse,
  read: () => Promise<{ version: bigint; epochs: readonly EpochTimes[]; books?: readonly RuleBook[] } | null>,
  ageMs: number,
  steady: () => number = () => performance.now(),
): Refreshed {
  const readTable = async () => {
    const stored = await read();
    if (stored) epochs.offer(stored.version, stored.epochs, stored.books);
  };
  const fresh = createRefreshed(readTable, ageMs, steady);
  const refuseStale = (error: unknown) => {
    throw refuse('epochs-old', `The epochs could not be read: ${error}`);
  };
  return { ...fresh, ensureFresh: () => fresh.ensureFresh()?.catch(refuseStale) ?? null };
}
