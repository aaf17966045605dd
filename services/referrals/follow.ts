import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import type { Turn } from '@cord/kit/periodic';
import { dueTimes, isDue } from '@cord/kit/store/due';
import pLimit from 'p-limit';
import type { Books } from './books.js';
import { aheadOf, type Friend, type FriendAccount, type HoldDecision } from './domain/friend.js';
import { type Address, keysOf, sameAddress } from './domain/network.js';
import type { Lately } from './lately.js';
import type { Member } from './member.js';
import type { ReferralStore } from './store.js';

/** A friend's account as its owner announced it. */
export interface Announced {
  account: FriendAccount;
  /** The node runs: more of the same is to come. */
  running: boolean;
}

/** How often the books follow a node that runs, and how much is looked at at a time. */
export const FOLLOW_BOUNDS = {
  /** The books of a friend whose node runs move at most once in this time, ms. */
  againMs: 300_000,
  /** Friends read at a time. */
  batch: 256,
  /** Friends looked at at a time. */
  atOnce: 16,
  /** Batches of one round, so that payments have their turn; the next news of a friend whose mark has come is as good as a look. */
  batchesMax: 8,
};

/**
 * Keeps the books of friends whose nodes run (services/contracts/rules/README.md#commission-and-referral-bonuses): such a node publishes its balance twice a minute, and each time three
 * documents would be written. The write that moves a friend's amounts marks the record to be looked at again; until then news of
 * the same kind changes nothing in the books, since its state stays in the stream, where the look finds it. Nothing is lost with a
 * process: the mark stands before anything is passed over, and goes only after the books hold what the stream does. Meanwhile
 * the ledger gets its reports from memory (lately.ts).
 */
export type Follow = ReturnType<typeof createFollow>;

export function createFollow(parts: {
  store: Pick<ReferralStore, 'members' | 'lookAgain' | 'friendsAt'>;
  books: Pick<Books, 'takeAccount' | 'recount' | 'decide'>;
  lately: Pick<Lately, 'note'>;
  /** The state of a user that stands in the stream; null when none does. */
  lastOf: (userId: string) => Promise<Announced | null>;
  /** The account of an erased user once nothing is credited to it any more; null when none was ever opened. */
  finalAccountOf: (userId: string) => Promise<FriendAccount | null>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  bounds?: typeof FOLLOW_BOUNDS;
}) {
  const { store, books, lately, lastOf, finalAccountOf, clock, log, bounds = FOLLOW_BOUNDS } = parts;
  const { members } = store;
  const limit = pLimit(bounds.atOnce);
  const times = (byMs?: number) => dueTimes(clock.now(), bounds.againMs, byMs);
  const nextLookMs = () => clock.now() + bounds.againMs;

  /** Whether the books need not move now. */
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
      lately.note(place, ahead.countedMicro, referrer.reportedAt ?? clock.now());
    }
    return true;
  };
  /** Brings a marked friend's books up to the stream. @returns whether they were behind */
  const catchUp = async ({ _id, friend, erased }: Member): Promise<boolean> => {
    if (!friend || friend.gone || erased) return false;
    const last = await lastOf(_id);
    if (!last || last.account.accountSeq <= friend.accountSeq) return false;
    await books.takeAccount(_id, last.account, nextLookMs());
    return true;
  };
  /** The mark of a friend whose books hold all; only if it is still the one that was read. */
  const unmark = ({ _id, againAt }: Member): Promise<void> =>
    members.update(_id, ({ againAt: stands, ...member }) => (stands === againAt ? member : null));
  const lookAt = async (friendId: string): Promise<void> => {
    const member = await members.get(friendId);
    if (member?.againAt === undefined || (await catchUp(member)) || !isDue(member.againAt, times())) return;
    // A look that died may have left the record ahead of the sums.
    await books.recount(friendId);
    await unmark(member);
    // Who still saw the mark has passed news over that was published before it went.
    const now = await members.get(friendId);
    if (now && now.againAt === undefined) await catchUp(now);
  };
  /** One that fails blocks no other: its mark is moved on. */
  const lookQuietly = async (friendId: string): Promise<void> => {
    try {
      await lookAt(friendId);
    } catch (err) {
      log.warn({ err, friendId }, 'a friend whose node runs is looked at again later');
      await members.update(friendId, ({ againAt, ...member }) =>
        againAt !== undefined && isDue(againAt, times()) ? { ...member, againAt: nextLookMs() } : null,
      );
    }
  };
  const marked = async (userId: string): Promise<void> => {
    const member = await members.get(userId);
    if (member?.againAt !== undefined) await catchUp(member);
  };

  return {
    /** A friend's account has changed. */
    async take(userId: string, announced: Announced) {
      const member = await members.get(userId);
      if (!member?.referredBy || member.erased || (await waits(member, announced))) return;
      await books.takeAccount(userId, announced.account, announced.running ? nextLookMs() : undefined);
    },
    /** Looks at this replica's friends whose marks come by then, ms. @param lease called before each batch */
    async lookAgain(byMs: number, lease: Turn['lease']) {
      const due: Due<string> = {
        read: (limit, takes) => store.lookAgain(times(byMs), limit, takes),
        each: (friendId) => limit(() => lookQuietly(friendId)),
      };
      let batches = 0;
      await inBatches({ lease }, bounds.batch, () => {
        batches += 1;
        // A mark that has not come yet stays, and would be found again.
        const isOver = batches > bounds.batchesMax || (batches > 1 && byMs > clock.now());
        return isOver ? null : due;
      });
    },
    /** Before a user counts elsewhere: what was earned until then counts as things stood. */
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
    /** An admin decides about a hold: what was earned until then counts as things stood. Nothing for a user who is no friend. */
    async decide(friendId: string, decision: HoldDecision, from?: Friend) {
      await marked(friendId);
      await books.decide(friendId, decision, from);
    },
    /**
     * Before a friend is gone: the stream forgets the user, the ledger does not.
     * @returns whether the user is a friend, whose books now hold all that was earned
     * @throws Problem 503 while the ledger has not closed the account
     */
    async beforeErasure(userId: string) {
      const member = await members.get(userId);
      if (!member?.friend) return false;
      if (member.erased) return true;
      // Whatever the books hold: news that has not come yet is purged with the user, and the referrer is owed for it all the same.
      const account = await finalAccountOf(userId);
      if (account) await books.takeAccount(userId, account);
      return true;
    },
  };
}
