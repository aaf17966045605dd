import { OUTBOX_AHEAD_MS_MAX } from '@cord/kit/bounds';
import { causeNow, withCause } from '@cord/kit/cause';
import type { Account, OutboxItem } from './account.js';

/**
 * How long a running node's announcement may stand before the sweeper looks after it, beside the sweeper's own five seconds, ms: a
 * node saves at least once a minute while its page is open, and what the save announces takes the slot.
 */
export const SAVE_COMES_MS = OUTBOX_AHEAD_MS_MAX;

/**
 * What a compare-and-set changes beside the state itself. The relay takes items out of the outbox and empties the slot
 * without raising seq, so a write must never put back what its account only remembers: it appends the new items, and
 * touches the slot only when it requests an announcement: one that was made stands until the relay has noted it, or the next
 * one takes its place.
 */
export interface AccountWrite {
  readonly newItems: readonly OutboxItem[];
  /** The slot's new value; null empties it, as an erasure does; undefined leaves it as it stands. */
  readonly announceSeq: bigint | null | undefined;
  readonly mark: Mark;
}

/** What becomes of the mark for the sweeper: `earliest` keeps an earlier one that stands, `anew` overwrites it. */
export type Mark = { readonly kind: 'stays' } | { readonly kind: 'earliest' | 'anew'; readonly atMs: number };

/**
 * The write that turns `before` into `next`.
 * @param announcedSeq a state of this account that is known to stand in the stream; null when none is
 */
export function accountWrite(before: Account, next: Account, nowMs: number, announcedSeq: bigint | null): AccountWrite {
  const newItems = next.outbox.filter((item) => item.seq > before.seq);
  const announces = next.announceSeq !== null && next.announceSeq > before.seq;
  const erases = next.erasedAtMs !== null && before.erasedAtMs === null;
  // What memory believes to wait may have gone meanwhile; what it believes to have gone has.
  const waits = before.outbox.length > 0 || (before.announceSeq !== null && !isAnnounced(before, announcedSeq));
  const adds = announces || newItems.length > 0;
  const atMs = nextAnnouncementTakesSlot(next, newItems) ? nowMs + SAVE_COMES_MS : nowMs;
  return {
    newItems,
    announceSeq: announces ? next.announceSeq : erases ? null : undefined,
    // Looked at once more after a while, whatever was relayed at once: see the relay.
    mark: erases
      ? { kind: 'anew', atMs: nowMs }
      : adds
        ? { kind: waits ? 'earliest' : 'anew', atMs }
        : { kind: 'stays' },
  };
}

/** The account of a step, whose new items and announcement carry their cause. */
export function ofCause(before: Account, next: Account): Account {
  const cause = causeNow();
  const announces = next.announceSeq !== null && next.announceSeq > before.seq;
  const adds = next.outbox !== before.outbox;
  if (!announces && (cause === undefined || !adds)) return next;
  const { announceCause: former, ...state } = next;
  const announceCause = announces ? cause : former;
  const outbox = adds ? withCause(before.outbox, next.outbox) : next.outbox;
  return { ...state, outbox, ...(announceCause === undefined ? {} : { announceCause }) };
}

/** Whether the announcement that the account requests was made: the stream holds that state or a newer one. */
export function isAnnounced({ announceSeq }: Account, announcedSeq: bigint | null): boolean {
  return announceSeq !== null && announcedSeq !== null && announceSeq <= announcedSeq;
}

/** Whether nothing but the slot waits on a node that runs: then its next announcement takes the slot, and no write of its own is due. */
export function nextAnnouncementTakesSlot(
  { node, erasedAtMs, announceSeq }: Account,
  waiting: readonly OutboxItem[],
): boolean {
  return node.status === 'active' && erasedAtMs === null && announceSeq !== null && waiting.length === 0;
}
