import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { createRefreshed, type Refreshed } from '@cord/kit/shared';
import { type EpochTimes, epochTable, NO_EPOCHS } from './epochs.js';
import { refuse } from './refusal.js';

/** The epoch table that this replica settles by: the highest version it has seen. */
export type EpochsInUse = ReturnType<typeof createEpochsInUse>;

export function createEpochsInUse() {
  let inUse = NO_EPOCHS;
  return {
    table: () => inUse,
    /**
     * Takes a table unless it or a later one is in use; one without books has those in use.
     * @returns whether it was taken
     */
    offer(version: bigint, rows: readonly EpochTimes[], books: readonly RuleBook[] = inUse.books) {
      if (version <= inUse.version) return false;
      inUse = epochTable(version, rows, books);
      return true;
    },
  };
}

/**
 * A change of epochs comes over NATS, and is stored by the first replica that it reaches (../epochs.ts). The others settle only by a table that they
 * have read from the store within `ageMs`. That is less than the time that lies between a change and its effect. `demand` throws
 * LedgerRefusal `epochs-old`.
 * @param ageMs how old the last read may be, ms
 * @param steady a clock that cannot be set, ms
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
  const tooOld = (error: unknown) => {
    throw refuse('epochs-old', `The epochs could not be read: ${error}`);
  };
  return { ...fresh, demand: () => fresh.demand()?.catch(tooOld) ?? null };
}
