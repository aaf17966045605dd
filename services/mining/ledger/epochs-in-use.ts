import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { type EpochTable, type EpochTimes, epochTable, NO_EPOCHS } from './epochs.js';
import { refuse } from './refusal.js';

/** The epoch table that this replica settles by: the highest version it has seen. */
export interface EpochsInUse {
  table(): EpochTable;
  /**
   * Takes a table unless it or a later one is in use; one without names is no more than its times, one without books has those in use.
   * @returns whether it was taken
   */
  offer(version: bigint, rows: readonly EpochTimes[], books?: readonly RuleBook[]): boolean;
}

export function createEpochsInUse(): EpochsInUse {
  let inUse = NO_EPOCHS;
  return {
    table: () => inUse,
    offer(version, rows, books = inUse.books) {
      const named = inUse.spans.every(({ name }) => name !== undefined);
      if (version < inUse.version || (version === inUse.version && named)) return false;
      inUse = epochTable(version, rows, books);
      return true;
    },
  };
}

/** The table in use, read again from the ledger's own store. */
export interface FreshEpochs {
  /** Reads the stored table now. @throws what the store throws */
  refresh(): Promise<void>;
  /** Reads it when the last read is too old. Null, without a wait, when it is not. @throws LedgerRefusal `epochs-old` */
  demand(): Promise<void> | null;
}

/**
 * A change of epochs comes over NATS, and is stored by whichever replica answers (../epochs.ts). The others settle only by a table that they
 * have read from the store within `ageMs`. That is less than the time that lies between a change and its effect.
 * @param ageMs how old the last read may be, ms
 * @param steady a clock that nobody can set, ms
 */
export function createFreshEpochs(
  epochs: EpochsInUse,
  read: () => Promise<{ version: bigint; epochs: readonly EpochTimes[]; books?: readonly RuleBook[] } | null>,
  ageMs: number,
  steady: () => number = () => performance.now(),
): FreshEpochs {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const readOnce = async (): Promise<void> => {
    const fromMs = steady();
    const stored = await read();
    if (stored) epochs.offer(stored.version, stored.epochs, stored.books);
    readAtMs = fromMs;
  };
  const refresh = (): Promise<void> => {
    reading ??= readOnce().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const demandRead = async (): Promise<void> => {
    // A read that began before may have missed what was stored since.
    await reading?.catch(() => undefined);
    await refresh().catch((error: unknown) => {
      throw refuse('epochs-old', `The epochs could not be read: ${error}`);
    });
  };
  return { refresh, demand: () => (steady() - readAtMs < ageMs ? null : demandRead()) };
}
