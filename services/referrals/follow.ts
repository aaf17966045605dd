import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Turn } from '@cord/kit/periodic';
import { dueTimes, isDue } from '@cord/kit/store/due';
import pLimit from 'p-limit';
import type { Books } from './books.js';
import { aheadOf, type Friend, type FriendAccount, type HoldDecision } from './domain/friend.js';
import { type Address, keysOf, sameAddress } from './domain/network.js';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';
import type { UnbookedEarnings } from './unbooked.js';

/** A friend's account as published by the ledger. */
export interface Announced {
  account: FriendAccount;
  /** Whether the node runs: then more such events follow. */
  running: boolean;
}

/** Interval and batch sizes of following running nodes. */
export const FOLLOW_BOUNDS = {
  /** Minimum time between two updates of the books for a friend's running node, ms. */
  againMs: 300_000,
  /** Friends per batch. */
  batch: 256,
  /** Friends checked in parallel. */
  atOnce: 16,
  /** Maximum number of batches per round, so that payments get their turn; a due friend's next event has the same effect as a check. */
  batchesMax: 8,
};

/**
 * Updates the books for friends whose nodes run (services/contracts/rules/README.md#commission-and-referral-bonuses). Such a
 * node publishes its balance twice a minute, which would cost three writes each time. The write that changes a friend's
 * amounts also marks the record for a later check; until then, events of the same kind are skipped, because their state stays
 * in the stream, where the check reads it. A crash loses nothing: the mark is set before any event is skipped, and is removed
 * only after the books match the stream. Meanwhile the ledger gets its reports from memory (unbooked.ts).
 */
export type Follow = ReturnType<typeof createFollow>;

export function createFollow(parts: {
  store: Pick<ReferralStore, 'members' | 'dueForCheck' | 'friendsAt'>;
  books: Pick<Books, 'takeAccount' | 'recount' | 'decide'>;
  unbooked: Pick<UnbookedEarnings, 'note'>;
  /** Returns the last state of a user in the stream; null when there is none. */
  lastOf: (userId: string) => Promise<Announced | null>;
  /** Returns the account of an erased user once nothing is credited to it any more; null when none was ever opened. */
  finalAccountOf: (userId: string) => Promise<FriendAccount | null>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  bounds?: typeof FOLLOW_BOUNDS;
}) {
  const { store, books, unbooked, lastOf, finalAccountOf, clock, log, bounds = FOLLOW_BOUNDS } = parts;
  const { members } = store;
  const limit = pLimit(bounds.atOnce);
  const times = (byMs?: number) => dueTimes(clock.now(), bounds.againMs, byMs);
  const nextCheckMs = () => clock.now() + bounds.againMs;

  /** Whether the books need no update now. */
  const waits = async (member: Member, { account, running }: Announced): Promise<boolean> => {
    const { _id, friend, againAt, referredBy, address, mined, profile } = member;
    if (!running || !friend || againAt === undefined || isDue(againAt, times())) return false;
    if (referredBy?.bucket === undefined || profile?.returning) return false;
    const referrer = await members.get(referredBy.userId);
    if (!referrer) return false;
    const standing = { referrer: referrer.address, mined: referrer.mined, erased: referrer.erased, nowMs: clock.now() };
    const ahead = aheadOf({ friend, address, mined }, account, standing);
    if (!ahead) return false;
    if (!referrer.erased && ahead.countedMicro > friend.countedMicro) {
      const place = { referrerId: referrer._id, bucket: referredBy.bucket, friendId: _id };
      unbooked.note(place, ahead.countedMicro, referrer.reportedAt ?? clock.now());
    }
    return true;
  };
  /** Updates a marked friend's books from the stream. @returns whether they were behind */
  const catchUp = async ({ _id, friend, erased }: Member): Promise<boolean> => {
    if (!friend || friend.gone || erased) return false;
    const last = await lastOf(_id);
    if (!last || last.account.accountSeq <= friend.accountSeq) return false;
    await books.takeAccount(_id, last.account, nextCheckMs());
    return true;
  };
  /** Removes the mark of a friend whose books are complete, unless it changed since it was read. */
  const unmark = ({ _id, againAt }: Member): Promise<void> =>
    members.update(_id, ({ againAt: stands, ...member }) => (stands === againAt ? member : null));
  const lookAt = async (friendId: string): Promise<void> => {
    const member = await members.get(friendId);
    if (member?.againAt === undefined || (await catchUp(member)) || !isDue(member.againAt, times())) return;
    // An interrupted check may have left the record ahead of the sums.
    await books.recount(friendId);
    await unmark(member);
    // A handler that still saw the mark may have skipped an event published before its removal.
    const now = await members.get(friendId);
    if (now && now.againAt === undefined) await catchUp(now);
  };
  /** Checks a friend; a failure blocks no others, because it postpones the mark. */
  const checkAndLog = async (friendId: string): Promise<void> => {
    try {
      await lookAt(friendId);
    } catch (err) {
      log.warn({ err, friendId }, 'a friend with a running node could not be checked; retrying later');
      await members.update(friendId, ({ againAt, ...member }) =>
        againAt !== undefined && isDue(againAt, times()) ? { ...member, againAt: nextCheckMs() } : null,
      );
    }
  };
  const marked = async (userId: string): Promise<void> => {
    const member = await members.get(userId);
    if (member?.againAt !== undefined) await catchUp(member);
  };

  return {
    /** Handles a change of a friend's account. */
    async take(userId: string, announced: Announced) {
      const member = await members.get(userId);
      if (!member?.referredBy || member.erased || (await waits(member, announced))) return;
      await books.takeAccount(userId, announced.account, announced.running ? nextCheckMs() : undefined);
    },
    /** Checks the friends of this replica whose marks are due by then, ms. @param lease called before each batch */
    async checkDue(byMs: number, lease: Turn['lease']) {
      const due: Due<string> = {
        read: (limit, takes) => store.dueForCheck(times(byMs), limit, takes),
        each: (friendId) => limit(() => checkAndLog(friendId)),
      };
      let batches = 0;
      await inBatches({ lease }, bounds.batch, () => {
        batches += 1;
        // A mark that is not due yet stays, and would be found again.
        const isOver = batches > bounds.batchesMax || (batches > 1 && byMs > clock.now());
        return isOver ? null : due;
      });
    },
    /** Called before a user's address changes: earnings so far count by the former state. */
    async beforeMove(userId: string, address: Address) {
      const member = await members.get(userId);
      if (!member || member.erased || sameAddress(member.address, address)) return;
      await marked(userId);
      const keys = keysOf(member.address, address);
      for (let after: string | undefined = ''; after !== undefined && (keys === true || keys.length > 0); ) {
        const friends: string[] = await store.friendsAt(userId, keys === true ? null : keys, after);
        for (const friendId of friends) await marked(friendId);
        after = friends.at(-1);
      }
    },
    /** Applies an admin's decision about a hold: earnings so far count by the former state. Ignores users who are no friends. */
    async decide(friendId: string, decision: HoldDecision, from?: Friend) {
      await marked(friendId);
      await books.decide(friendId, decision, from);
    },
    /**
     * Called before a friend is erased: the stream forgets the user, the ledger does not.
     * @returns whether the user is a friend, whose books now contain all earnings
     * @throws Problem 503 while the ledger has not closed the account
     */
    async beforeErasure(userId: string) {
      const member = await members.get(userId);
      if (!member?.friend) return false;
      if (member.erased) return true;
      // Always reads the final account: pending events are purged with the user, but the referrer is still owed for them.
      const account = await finalAccountOf(userId);
      if (account) await books.takeAccount(userId, account);
      return true;
    },
  };
}
