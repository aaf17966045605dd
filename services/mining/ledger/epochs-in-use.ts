import { type EpochTable, type EpochTimes, epochTable, NO_EPOCHS } from './epochs.js';

/** The epoch table that this replica settles by: the highest version it has seen. */
export interface EpochsInUse {
  table(): EpochTable;
  /** Takes a table unless it or a later one is in use; one without names is no more than its times. @returns whether it was taken */
  offer(version: bigint, rows: readonly EpochTimes[]): boolean;
}

export function createEpochsInUse(): EpochsInUse {
  let inUse = NO_EPOCHS;
  return {
    table: () => inUse,
    offer(version, rows) {
      const named = inUse.spans.every(({ name }) => name !== undefined);
      if (version < inUse.version || (version === inUse.version && named)) return false;
      inUse = epochTable(version, rows);
      return true;
    },
  };
}
