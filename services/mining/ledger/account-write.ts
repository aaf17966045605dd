import { OUTBOX_AHEAD_MS_MAX } from '@cord/kit/bounds';
import { currentCause, withCause } from '@cord/kit/cause';
import type { Account, OutboxItem } from './account.js';

/**
 * How long a running node's announcement may wait before the sweeper publishes it, ms, plus the sweeper's own five
 * seconds. A node saves at least once a minute while its page is open, and the save's announcement replaces this one.
 */
export const SAVE_COMES_MS = OUTBOX_AHEAD_MS_MAX;

/**
 * The changes of a compare-and-set beside the state itself. The relay empties the outbox and the slot without raising
 * seq, so a write must never restore them from a stale account. It appends the new items and sets the slot only for a
 * new announcement, which stays until the relay has noted it or the next one replaces it.
 */
export interface AccountWrite {
  readonly newItems: readonly OutboxItem[];
  /** New value of the slot; null empties it, as an erasure does; undefined leaves it unchanged. */
  readonly announceSeq: bigint | null | undefined;
  readonly mark: Mark;
}

/** Change of the sweeper's mark: `earliest` keeps an earlier mark, `anew` overwrites it. */
export type Mark = { readonly kind: 'stays' } | { readonly kind: 'earliest' | 'anew'; readonly atMs: number };

/**
 * Returns the write that turns `before` into `next`.
 * @param announcedSeq a state of this account known to be in the stream, or null
 */
export function accountWrite(before: Account, next: Account, nowMs: number, announcedSeq: bigint | null): AccountWrite {
  const newItems = next.outbox.filter((item) => item.seq > before.seq);
  const announces = next.announceSeq !== null && next.announceSeq > before.seq;
  const erases = next.erasedAtMs !== null && before.erasedAtMs === null;
  // Items that memory still lists may have been relayed meanwhile; items missing from memory certainly were.
  const waits = before.outbox.length > 0 || (before.announceSeq !== null && !isAnnounced(before, announcedSeq));
  const adds = announces || newItems.length > 0;
  const atMs = nextAnnouncementTakesSlot(next, newItems) ? nowMs + SAVE_COMES_MS : nowMs;
  return {
    newItems,
    announceSeq: announces ? next.announceSeq : erases ? null : undefined,
    // The sweeper checks it once more later, even if the relay succeeds at once: see relay.ts.
    mark: erases
      ? { kind: 'anew', atMs: nowMs }
      : adds
        ? { kind: waits ? 'earliest' : 'anew', atMs }
        : { kind: 'stays' },
  };
}

/** Returns the account of a step with the current cause on its new items and announcement. */
export function withCurrentCause(before: Account, next: Account): Account {
  const cause = currentCause();
  const announces = next.announceSeq !== null && next.announceSeq > before.seq;
  const adds = next.outbox !== before.outbox;
  if (!announces && (cause === undefined || !adds)) return next;
  const { announceCause: former, ...state } = next;
  const announceCause = announces ? cause : former;
  const outbox = adds ? withCause(before.outbox, next.outbox) : next.outbox;
  return { ...state, outbox, ...(announceCause === undefined ? {} : { announceCause }) };
}

/** Returns whether the requested announcement was made: the stream holds that state or a newer one. */
export function isAnnounced({ announceSeq }: Account, announcedSeq: bigint | null): boolean {
  return announceSeq !== null && announcedSeq !== null && announceSeq <= announcedSeq;
}

/** Returns whether only the slot of a running node waits: its next announcement replaces it, so no separate write is needed. */
export function nextAnnouncementTakesSlot(
  { node, erasedAtMs, announceSeq }: Account,
  waiting: readonly OutboxItem[],
): boolean {
  return node.status === 'active' && erasedAtMs === null && announceSeq !== null && waiting.length === 0;
}
