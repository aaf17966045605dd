import { allThrough } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import { periodic, type Turn } from '@cord/kit/periodic';
import { createSlots } from '@cord/kit/slots';
import { type FormerFriend, mergedFrom } from './domain/former.js';
import type { Friend } from './domain/friend.js';
import type { FormerStore } from './former-store.js';
import type { Upgrade } from './upgrade.js';

const LEASE_MS = 60_000;

/** How much is taken over at a time, and when. */
export interface UpgradeBounds {
  /** How often the release before is looked after, while it may run beside this one, ms. */
  everyMs: number;
  /** A bucket that a former release has not touched for so long goes, ms. */
  keptMs: number;
  /** Buckets looked at in one read. */
  page: number;
  /** Friends taken over at a time. */
  atOnce: number;
}

export const UPGRADE_BOUNDS: UpgradeBounds = { everyMs: 600_000, keptMs: 86_400_000, page: 64, atOnce: 8 };

/** Looks after the buckets of the release before, until there are none. */
export interface FormerSweep {
  /** Takes over whatever is new in them, and drops those that nobody has touched for a day. */
  sweepOnce(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createFormerSweep(parts: {
  former: FormerStore;
  upgrade: Pick<Upgrade, 'count'>;
  /** Makes a friend's record, or changes one that is there. */
  takeOver: (friendId: string, merge: (friend: Friend) => Friend) => Promise<void>;
  clock: Clock;
  leases: SharedLeases;
  log: Pick<Log, 'warn'>;
  metrics?: Metrics;
  bounds?: UpgradeBounds;
}): FormerSweep {
  const { former, upgrade, takeOver, clock, leases, log, metrics, bounds = UPGRADE_BOUNDS } = parts;
  const slots = createSlots(bounds.atOnce);

  const takeOverAll = async (friends: Record<string, FormerFriend>): Promise<void> => {
    const all = Object.entries(friends).map(([friendId, line]) =>
      slots.run(() => takeOver(friendId, (friend) => mergedFrom(friend, line))),
    );
    await allThrough(all);
  };
  const moveOne = async (id: string): Promise<void> => {
    const bucket = await former.get(id);
    if (!bucket) return;
    await upgrade.count(bucket.referrerId);
    await takeOverAll(bucket.friends);
    await former.noteMoved(id, bucket.seq, clock.now());
  };
  const sweep = async ({ mine }: Turn): Promise<void> => {
    for (let after = ''; ; ) {
      const page = await former.page(after, bounds.page);
      for (const { _id, seq, movedSeq, movedAtMs = 0 } of page) {
        if (!(await mine())) return;
        if (movedSeq !== seq) await moveOne(_id);
        else if (movedAtMs + bounds.keptMs <= clock.now()) await former.drop(_id, seq);
      }
      const last = page.at(-1);
      if (!last || page.length < bounds.page) return;
      after = last._id;
    }
  };
  const rounds = periodic(
    { clock, log, leases, metrics },
    { name: 'referrals.upgrade', everyMs: bounds.everyMs, leaseMs: LEASE_MS, run: sweep },
  );
  return { sweepOnce: () => rounds.inTurn(sweep), start: rounds.start, stop: rounds.stop };
}
