import type { Clock } from '@cord/kit/clock';
import type { Outbox } from '@cord/kit/outbox';
import { type OutboxCredit, withItem } from '@cord/kit/outbox/items';
import { alreadyChanged } from '@cord/kit/second-operator';
import type { Step } from '@cord/kit/versioned';
import { bonusOf, confirmed } from './domain/commission.js';
import {
  bonusCheckAtMs,
  counted,
  type Friend,
  type FriendAccount,
  type HoldDecision,
  holdStateOf,
  type Known,
  movesAmounts,
  type Standing,
  sameDecision,
  withAccount,
  withBonusCredited,
  withDecision,
  withDeletedAccount,
  withReturned,
} from './domain/friend.js';
import { type Address, isOlder, keysOf, type NodeEvent, sameAddress, withAddress, withNode } from './domain/network.js';
import { lineOf } from './domain/sums.js';
import type { Dues } from './dues.js';
import { holdKeyOf } from './holds.js';
import type { CommissionLedger } from './ledger.js';
import type { Member } from './member.js';
import { createPlaces } from './places.js';
import type { ReferralStore } from './store.js';
import type { Sums } from './sums.js';

/** Manages the referrers' books: their friends, the friends' states, and what these have earned since the link. */
export type Books = ReturnType<typeof createBooks>;

interface Parts {
  store: ReferralStore;
  sums: Sums;
  clock: Pick<Clock, 'now'>;
  dues: Dues;
  /** Starts reporting a referrer's commission to the ledger at once. */
  sendSoon: (referrerId: string) => void;
  ledger: Pick<CommissionLedger, 'bonusesOf'>;
  outbox: Pick<Outbox, 'relayNow' | 'settle'>;
}

/** Changes a friend; returns the same object for no change. */
type FriendStep = (known: Known, standing: Standing) => Friend;
const unchanged: FriendStep = ({ friend }) => friend;

interface ChangeOptions {
  /** When to check again if the friend's amounts change, ms. */
  againAtMs?: number | undefined;
  /** The change is never redelivered, so the record is due for a check at once. */
  once?: boolean;
}

interface Changed {
  /** The friend's record after the change. */
  friend: Member;
  /** Bonuses promised in the same write. */
  due: OutboxCredit[];
}

export function createBooks(parts: Parts) {
  const { store, sums, clock, dues, sendSoon, ledger, outbox } = parts;
  const { members } = store;
  const places = createPlaces(store, clock);
  const standingOf = (referrer: Member): Standing => ({
    referrer: referrer.address,
    mined: referrer.mined,
    erased: referrer.erased,
    nowMs: clock.now(),
  });
  /** Changes a friend's own record, counts its earnings, and promises a due bonus in the same write. */
  const changeRecord = (
    parts: ChangeOptions & { friendId: string; referrer: Member; step: FriendStep },
  ): Promise<Changed | null> => {
    const { friendId, referrer, step, once, againAtMs } = parts;
    const change = (present: Member): Step<Member, Changed | null> => {
      const { friend } = present;
      if (!friend || present.referredBy?.userId !== referrer._id) return { doc: null, result: null };
      const standing = standingOf(referrer);
      const { address, mined } = present;
      const stepped = step({ friend, address, mined }, standing);
      const after = counted({ friend: stepped, address, mined }, standing);
      const known = { friend: after.friend, address, mined };
      const holdKey = holdKeyOf(present, holdStateOf(known, standing), standing.nowMs);
      const bonusAt = bonusCheckAtMs(known, standing, present.bonusAt);
      const same = after.friend === friend && holdKey === present.holdKey && bonusAt === present.bonusAt;
      if (same && present.referredBy.bucket !== undefined) return { doc: null, result: { friend: present, due: [] } };
      const due = after.bonusDue ? [bonusOf(referrer._id, friendId)] : [];
      const bucket = present.referredBy.bucket ?? referrer.lastBucket;
      const { holdKey: _before, bonusAt: _mark, ...kept } = present;
      let doc: Member = { ...kept, friend: after.friend, referredBy: { ...present.referredBy, bucket } };
      if (holdKey !== undefined) doc.holdKey = holdKey;
      if (bonusAt !== undefined) doc.bonusAt = bonusAt;
      if (once) doc.againAt = clock.now();
      if (againAtMs !== undefined && movesAmounts(friend, after.friend)) doc.againAt = againAtMs;
      for (const credit of due) doc = withItem(doc, credit, clock.now());
      const result = { friend: { ...doc, seq: present.seq + 1n }, due };
      return { doc, result };
    };
    return members.change(friendId, change);
  };
  /** Returns the friend's next bucket when its bucket is full; another process may have been faster. */
  const moveOn = (friendId: string, full: number): Promise<number> =>
    members.change(friendId, (present) => {
      const { referredBy } = present;
      if (!referredBy || referredBy.bucket !== full) return { doc: null, result: referredBy?.bucket ?? full + 1 };
      return { doc: { ...present, referredBy: { ...referredBy, bucket: full + 1 } }, result: full + 1 };
    });
  /**
   * Copies the sums of a friend's record to its bucket. The bucket number is stored in the record before the bucket
   * gets a line, and a full bucket stays full, so no friend ever has two lines.
   * @returns whether the friend is new to the referrer's books
   */
  const addToReferrer = async (
    { _id, seq, friend, referredBy }: Member,
    referrer: Member,
    decided?: boolean,
  ): Promise<boolean> => {
    if (!friend || referredBy?.bucket === undefined) return false;
    const line = lineOf(seq, friend);
    for (let { bucket } = referredBy; ; ) {
      const passed = await sums.pass(referrer._id, bucket, _id, line, decided);
      if (passed === 'full') {
        bucket = await moveOn(_id, bucket);
        continue;
      }
      if (bucket > referrer.lastBucket) await noteLastBucket(referrer._id, bucket);
      return passed === 'added';
    }
  };
  const noteLastBucket = (referrerId: string, bucket: number): Promise<void> =>
    members.update(referrerId, (member) => (member.lastBucket < bucket ? { ...member, lastBucket: bucket } : null));
  /**
   * Changes a friend, if the user is one, and copies the sums to the bucket. The referrer is marked as due before and
   * after: a report in between may have read the former sum. A redelivered event changes nothing, but copies and marks
   * again, which repairs a crash in between. If the referrer's address changed meanwhile, the friend is counted again.
   */
  const changeFriend = async (friendId: string, step: FriendStep, options: ChangeOptions = {}): Promise<void> => {
    const member = await members.get(friendId);
    if (!member?.referredBy) return;
    const referrerId = member.referredBy.userId;
    let { referrer } = await dues.mark(referrerId);
    for (let next = step; ; next = unchanged) {
      const changed = await changeRecord({ friendId, referrer, step: next, ...options });
      if (!changed) return;
      const isAdded = await addToReferrer(changed.friend, referrer, options.once);
      const marked = await dues.mark(referrerId);
      if (marked.soon) sendSoon(referrerId);
      for (const credit of changed.due) await outbox.settle(friendId, credit);
      if (isAdded) await announce(referrerId);
      const { address, erased } = marked.referrer;
      if (sameAddress(address, referrer.address) && erased === referrer.erased) return;
      referrer = marked.referrer;
    }
  };
  const announce = async (userId: string, step: (member: Member) => Member | null = (member) => member) => {
    const changed = await places.change(userId, (present) => {
      const doc = present.erased ? null : step(present);
      return { doc, result: doc !== null };
    });
    if (changed) void outbox.relayNow(userId);
  };
  /** Counts friends again in batches. @param find returns ids in order, after a given one */
  const recount = async (find: (after: string) => Promise<string[]>, options?: ChangeOptions): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const friends: string[] = await find(after);
      for (const friendId of friends) await changeFriend(friendId, unchanged, options);
      after = friends.at(-1);
    }
  };

  return {
    /**
     * Publishes all of a member's state, with the friends' totals.
     * @param step change stored with it; null when there is nothing new to publish
     */
    announce,
    /** Adds a linked user to the referrer's books; repeatable, so that a crash in between is repaired. */
    enter: (userId: string) => changeFriend(userId, unchanged),
    /**
     * Stores a change of a friend's account.
     * @param againAtMs when to check again if its amounts change (follow.ts)
     */
    async takeAccount(userId: string, account: FriendAccount, againAtMs?: number) {
      const friend = await members.get(userId);
      if (!friend?.referredBy || friend.erased) return;
      const returned = friend.profile?.returning === true;
      const step: FriendStep = (known) => withAccount(returned ? withReturned(known.friend) : known.friend, account);
      await changeFriend(userId, step, { againAtMs });
    },
    /** Counts a friend by the current state, and copies sums that may be missing in the bucket. */
    async recount(friendId: string) {
      await changeFriend(friendId, unchanged);
    },
    /** Stores a user's new address, and counts again: the user as a friend, and the user's own friends. */
    async takeAddress(userId: string, address: Address) {
      // The address and the pending recounts are one write, so that a crash in between is repaired.
      const member = await members.change<Member | null>(userId, (present) => {
        const { address: known, recounting: due } = present;
        // Replicas share the events: a delayed replica may handle an event after a later one.
        if (present.erased || isOlder(address, known)) return { doc: null, result: null };
        const latest = { ...present, address: withAddress(known, address) };
        if (sameAddress(known, address))
          return { doc: known.seq === address.seq ? null : latest, result: due ? latest : null };
        const doc: Member = { ...latest, recounting: keysOf(known, address, due) };
        return { doc, result: doc };
      });
      if (!member?.recounting) return;
      await changeFriend(userId, unchanged);
      const { recounting } = member;
      const keys = recounting === true ? null : recounting;
      await recount((after) => store.friendsAt(userId, keys, after));
      await members.update(userId, ({ recounting: still, ...present }) =>
        still && sameAddress(present.address, address) ? present : null,
      );
    },
    /** Stores that a user's node started, moved, paused or stopped. */
    async takeNode(userId: string, node: NodeEvent) {
      const friend = await members.change(userId, (present) => {
        if (present.erased) return { doc: null, result: null };
        const doc = { ...present, mined: withNode(present.mined, node) };
        return { doc, result: doc };
      });
      if (friend) await changeFriend(userId, unchanged);
    },
    /**
     * Applies a decision about a hold to the current record; `decide` of follow.ts first catches up with the stream.
     * @param from the friend that the decision was based on
     * @throws Problem 409 when something else was decided meanwhile: a stalled call must not undo a later decision
     */
    async decide(friendId: string, decision: HoldDecision, from?: Friend) {
      const step: FriendStep = ({ friend }) => {
        const decided = withDecision(friend, decision);
        if (from && !sameDecision(friend, from) && !sameDecision(friend, decided)) throw alreadyChanged();
        return decided;
      };
      await changeFriend(friendId, step, { once: true });
    },
    /** Marks an erased friend: held money stays held, though the address is deleted. */
    async forget(userId: string) {
      await changeFriend(userId, withDeletedAccount);
    },
    /** Ends the holds of an erased referrer's friends: they have no payee any more and are no cases for operators. An ended hold is not found again. */
    forgetHolds: (referrerId: string) => recount((after) => store.heldFriends(referrerId, after), { once: true }),
    /** Stores that the ledger credited a promised bonus. @param id of the friend's record, which promised it */
    async bonusCredited(id: string, credit: OutboxCredit) {
      await members.update(id, (present) => {
        const friend = present.friend && withBonusCredited(present.friend);
        return friend && friend !== present.friend ? { ...present, friend } : null;
      });
      const bonusMicro = await ledger.bonusesOf(credit.userId);
      const raised = (member: Member) => ({
        ...member,
        commission: confirmed(member.commission, 'bonusMicro', bonusMicro),
      });
      await announce(credit.userId, raised);
    },
  };
}
