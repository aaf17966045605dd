import type { Account, OutboxItem } from './account.js';

/**
 * What a compare-and-set changes beside the state itself. The relay takes items out of the outbox and empties the slot
 * without raising seq, so a write must never put back what its account only remembers: it appends the new items, and
 * touches the slot only when it asks for an announcement.
 */
export interface AccountWrite {
  readonly newItems: readonly OutboxItem[];
  /** The slot's new value; undefined leaves it as it stands. */
  readonly announceSeq: bigint | null | undefined;
  /** Mark for the sweeper: kept when an earlier one stands; null leaves it as it stands. */
  readonly dirtyAtMs: number | null;
}

/** The write that turns `before` into `next`. */
export function accountWrite(before: Account, next: Account, nowMs: number): AccountWrite {
  const newItems = next.outbox.filter((item) => item.seq > before.seq);
  const asks = next.announceSeq !== null && next.announceSeq > before.seq;
  const empties = next.announceSeq === null && next.erasedAtMs !== null && before.erasedAtMs === null;
  return {
    newItems,
    announceSeq: asks ? next.announceSeq : empties ? null : undefined,
    dirtyAtMs: asks || newItems.length > 0 ? nowMs : null,
  };
}
