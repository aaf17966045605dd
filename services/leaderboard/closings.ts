import { NOBODY } from '@cord/contracts/events/envelope';
import { ranksClosed } from '@cord/contracts/events/ranks';
import { dayKey, previousDayKey } from '@cord/contracts/rules/days';
import { RANKS_CLOSED } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import type { Outbox } from '@cord/kit/outbox';
import { eventItem, type OutboxEvent, withItem } from '@cord/kit/outbox/items';
import { type Periodic, type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import type { Versioned, VersionedDocuments } from '@cord/kit/versioned';
import type { Board } from './domain/board.js';
import { findRankChanges, type RankChange } from './domain/closing.js';

const ALL_TIME = 'all-time';

const EVERY_MS = 60_000;
const LEASE_MS = 180_000;

/** The all-time ranking at the end of the last closed day, and the moves published for it. */
interface ClosingDocument extends Versioned {
  /** Empty before the first closing. */
  dayKey: string;
  beforeDay: string | null;
  closedAtMs: number;
  userIds: string[];
  moved: RankChange[];
  /** Events that are not published yet. */
  outbox?: OutboxEvent[];
  dirtyAt?: number;
}

/** The stream of ranks holds the last closed day. */
export const CLOSINGS = collection<ClosingDocument>({
  name: 'closings',
  outbox: 'events',
  empty: (_id) => ({ _id, seq: 0n, dayKey: '', beforeDay: null, closedAtMs: 0, userIds: [], moved: [] }),
  states: [{ kinds: [ranksClosed], items: closedItems, stays: true }],
});

/** Returns ranks.closed as last published; none before the first closing. */
function closedItems({ seq, dayKey: day, beforeDay, closedAtMs, moved }: ClosingDocument): OutboxEvent[] {
  if (day === '') return [];
  const origin = { userId: NOBODY, seq, atMs: closedAtMs, key: 'ranks:all-time' };
  return [eventItem(ranksClosed, origin, { dayKey: day, beforeDay, closedAt: closedAtMs, moved })];
}

/**
 * Closes the all-time ranking when a UTC day is over, in one replica, and publishes who moved. When the clock jumps
 * over several days, only the last one is closed, and compared with the closing before the jump.
 */
export function closeRanks({
  board,
  closings,
  outbox,
  clock,
  ...parts
}: PeriodicParts & {
  board: Pick<Board, 'first'>;
  closings: VersionedDocuments<ClosingDocument>;
  outbox: Pick<Outbox, 'relayNow'>;
  clock: Clock;
}): Periodic {
  const run = async ({ lease }: Turn): Promise<void> => {
    const over = previousDayKey(dayKey(clock.now()));
    if (((await closings.get(ALL_TIME))?.dayKey ?? '') >= over || !(await lease())) return;
    const userIds = board.first(RANKS_CLOSED);
    await closings.update(ALL_TIME, (last) => {
      if (last.dayKey >= over) return null;
      const closed = {
        ...last,
        dayKey: over,
        beforeDay: last.dayKey || null,
        closedAtMs: clock.now(),
        userIds,
        moved: last.dayKey === '' ? [] : findRankChanges(last, { userIds }),
      };
      const [item] = closedItems({ ...closed, seq: last.seq + 1n });
      return item ? withItem(closed, item, clock.now()) : closed;
    });
    void outbox.relayNow(ALL_TIME);
  };
  return periodic({ clock, ...parts }, { name: 'ranks close', everyMs: EVERY_MS, leaseMs: LEASE_MS, run });
}
