import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import type { Clock } from '@cord/kit/clock';
import type { Relay } from '@cord/kit/outbox';
import type { PromisedCredit, PromisedCredits } from '@cord/kit/promised-credits';
import { announced } from './announce.js';
import {
  type Address,
  BUCKET_FRIENDS_MAX,
  type Bucket,
  type BucketChange,
  type FriendAccount,
  isBonusOpen,
  recounted,
  type Standing,
  sameAddress,
  tallyOf,
  withAccount,
  withAddress,
  withBonusCredited,
  withFriend,
  withoutAddress,
  withRelease,
  withReturned,
} from './domain/bucket.js';
import { bonusWaits, type NodeNews, withNode } from './domain/network.js';
import type { Dues } from './dues.js';
import { type BucketDocument, bucketId, type Member, type ReferralStore } from './store.js';

/** The referrers' books: which friends stand where, and what they have earned since. */
export interface Books {
  /** Puts a linked user into the referrer's books; repeatable, so that a crash in between is made good. */
  enter(userId: string, baseline: FriendAccount): Promise<void>;
  /** A friend's account has changed. */
  takeAccount(userId: string, account: FriendAccount): Promise<void>;
  /** A user counts at another address: as a friend, and as a referrer of others. */
  takeAddress(userId: string, address: Address): Promise<void>;
  /** A user's node has started, moved, paused or stopped. */
  takeNode(userId: string, node: NodeNews): Promise<void>;
  /** Whether the friend stands in the referrer's books. */
  holds(referrerId: string, friendId: string): Promise<boolean>;
  /** An admin ends a hold. @returns whether the friend is in the referrer's books */
  release(referrerId: string, friendId: string): Promise<boolean>;
  /** The user is erased: what the referrer's books hold of the address goes. */
  forget(userId: string): Promise<void>;
  /** A promised bonus stands in the ledger. */
  bonusCredited(id: string, credit: PromisedCredit): Promise<void>;
  /**
   * Tells all of a member's state, counted from the buckets.
   * @param change what is written with it; null when there is nothing new to tell
   */
  announce(userId: string, change?: (member: Member) => Member | null): Promise<void>;
}

interface Parts {
  store: ReferralStore;
  clock: Pick<Clock, 'now'>;
  dues: Dues;
  /** A referrer's commission may be told to the ledger at once. */
  tellSoon: (referrerId: string) => void;
  /** Of the buckets: the referrers' bonuses. */
  promises: () => Pick<PromisedCredits, 'settle'>;
  relay: Pick<Relay, 'relayNow'>;
  /** Friends of one bucket, and the same for proofs with few of them. */
  friendsMax?: number;
}

export function createBooks(parts: Parts): Books {
  const { store, clock, dues, tellSoon, promises, relay, friendsMax = BUCKET_FRIENDS_MAX } = parts;
  /**
   * Applies a change to a bucket and promises bonuses that fell due in the same write. The referrer is marked as due
   * before and after: who tells the ledger between the two has read the former sum. An event that comes again finds nothing to
   * change and marks all the same, so that a crash before the second mark is made good.
   * @returns what the step answered
   */
  const change = async (id: string, step: (bucket: Bucket) => BucketChange | null): Promise<BucketChange | null> => {
    const referrerId = referrerOf(id);
    await dues.mark(referrerId);
    interface Outcome {
      due: PromisedCredit[];
      next: BucketChange | null;
    }
    const { due, next } = await store.buckets.change<Outcome>(id, (document) => {
      const next = step(document);
      if (!next || next.bucket === document) return { doc: null, result: { due: [], next } };
      const due = next.dueBonuses.map((friendId) => bonusOf(referrerId, friendId));
      const doc = withTally({ ...document, ...next.bucket });
      if (due.length > 0) {
        doc.promised = [...(document.promised ?? []), ...due];
        doc.promisedAt = document.promisedAt ?? clock.now();
      }
      return { doc, result: { due, next } };
    });
    if (await dues.mark(referrerId)) tellSoon(referrerId);
    for (const credit of due) await promises().settle(id, credit);
    return next;
  };
  /** What decides about these friends' money: read before the bucket is changed; a friend who is not among them waits. */
  const standingOf = (referrer: Member | null, friends: ReadonlyMap<string, Member>): Standing => ({
    referrer: referrer?.address ?? { key: null, level: 0 },
    waits: (friendId, friend) => {
      if (referrer?.erased) return true;
      return !friend.released && bonusWaits(friend, friends.get(friendId)?.mined, referrer?.mined, clock.now());
    },
  });
  const announce: Books['announce'] = async (userId, step = (member) => member) => {
    const tally = await store.tallyOf(userId);
    const told = await store.members.change(userId, (present) => {
      const next = present.erased ? null : step(present);
      return { doc: next && announced(next, tally, clock.now()), result: next !== null };
    });
    if (told) void relay.relayNow(userId);
  };
  /** Finds a bucket with room, from the last one on. */
  const place = async (friend: Member, baseline: FriendAccount, referrer: Member): Promise<string> => {
    const returned = friend.profile?.returning === true;
    const entry = {
      ...baseline,
      linkedAtMs: friend.referredBy?.atMs ?? clock.now(),
      baselineMicro: baseline.eligibleMicro,
      countedMicro: 0n,
      bonus: returned ? ('refused' as const) : ('pending' as const),
      address: friend.address,
      released: false,
      ...(returned ? { returned } : {}),
    };
    const standing = standingOf(referrer, new Map([[friend._id, friend]]));
    for (let index = referrer.lastBucket; ; index += 1) {
      const id = bucketId(referrer._id, index);
      let full = false;
      await change(id, (bucket) => {
        full = !bucket.friends[friend._id] && Object.keys(bucket.friends).length >= friendsMax;
        return full ? null : withFriend(bucket, friend._id, entry, standing);
      });
      if (full) continue;
      if (index > referrer.lastBucket) await noteLastBucket(referrer._id, index);
      return id;
    }
  };
  const noteLastBucket = (referrerId: string, index: number): Promise<void> =>
    store.members.change(referrerId, (member) => ({
      doc: member.lastBucket < index ? { ...member, lastBucket: index } : null,
      result: undefined,
    }));
  /** Changes a friend's line in the referrer's books, if there is one. */
  const changeLine = async (
    friend: Member,
    step: (bucket: Bucket, friendId: string, standing: Standing) => BucketChange | null,
  ): Promise<BucketChange | null> => {
    if (!friend.referredBy?.bucketId) return null;
    const referrer = await store.members.get(friend.referredBy.userId);
    const standing = standingOf(referrer, new Map([[friend._id, friend]]));
    return change(friend.referredBy.bucketId, (bucket) => step(bucket, friend._id, standing));
  };
  /** Counts all friends of a referrer again. Only of those whose bonus is open must be known where they mined. */
  const recountAll = async (referrer: Member): Promise<void> => {
    for (const bucket of await store.bucketsOf(referrer._id)) {
      const open = Object.entries(bucket.friends).filter(([, friend]) => isBonusOpen(friend));
      const friends = await store.membersById(open.map(([friendId]) => friendId));
      const standing = standingOf(referrer, friends);
      await change(bucket._id, (present) => recounted(present, Object.keys(present.friends), standing));
    }
  };

  return {
    announce,
    async enter(userId, baseline) {
      const friend = await store.members.get(userId);
      if (!friend?.referredBy || friend.referredBy.bucketId) return;
      const referrer = await store.members.get(friend.referredBy.userId);
      if (!referrer) return;
      const id = await place(friend, baseline, referrer);
      await store.members.change(userId, (member) => {
        const referredBy = member.referredBy ? { ...member.referredBy, bucketId: id } : null;
        return { doc: { ...member, referredBy }, result: undefined };
      });
      await announce(referrer._id);
      await announce(userId);
    },
    async takeAccount(userId, account) {
      const friend = await store.members.get(userId);
      if (!friend?.referredBy || friend.erased) return;
      if (!friend.referredBy.bucketId) {
        // A crash between link and books: entered now, with the baseline that stands at the link.
        await this.enter(userId, friend.referredBy.baseline ?? account);
        return this.takeAccount(userId, account);
      }
      const returned = friend.profile?.returning === true;
      await changeLine(friend, (bucket, friendId, standing) => {
        const known = returned ? withReturned(bucket, friendId).bucket : bucket;
        return withAccount(known, friendId, account, standing);
      });
    },
    async takeAddress(userId, address) {
      // The address and that the buckets are to be counted stand in one write: a crash in between is made good.
      const member = await store.members.change(userId, (present) => {
        if (present.erased) return { doc: null, result: null };
        if (sameAddress(present.address, address)) return { doc: null, result: present.recounting ? present : null };
        const doc: Member = { ...present, address, recounting: true };
        return { doc, result: doc };
      });
      if (!member) return;
      await changeLine(member, (bucket, friendId, standing) => withAddress(bucket, friendId, address, standing));
      await recountAll(member);
      await store.members.change(userId, ({ recounting, ...present }) => ({
        doc: recounting && sameAddress(present.address, address) ? present : null,
        result: undefined,
      }));
    },
    async takeNode(userId, node) {
      const friend = await store.members.change(userId, (present) => {
        if (present.erased) return { doc: null, result: null };
        const doc = { ...present, mined: withNode(present.mined, node) };
        return { doc, result: doc };
      });
      if (!friend) return;
      await changeLine(friend, (bucket, friendId, standing) => recounted(bucket, [friendId], standing));
    },
    async holds(referrerId, friendId) {
      const friend = await store.members.get(friendId);
      return friend?.referredBy?.userId === referrerId && friend.referredBy.bucketId !== null;
    },
    async release(referrerId, friendId) {
      const friend = await store.members.get(friendId);
      if (friend?.referredBy?.userId !== referrerId) return false;
      return (await changeLine(friend, withRelease)) !== null;
    },
    async forget(userId) {
      const friend = await store.members.get(userId);
      if (friend) await changeLine(friend, withoutAddress);
    },
    async bonusCredited(id, credit) {
      const friendId = credit.key.slice(credit.key.lastIndexOf(':') + 1);
      await store.buckets.change(id, (document) => {
        const bucket = withBonusCredited(document, friendId);
        return { doc: bucket === document ? null : withTally({ ...document, ...bucket }), result: undefined };
      });
      await announce(credit.userId);
    },
  };
}

/** A bucket as it is stored. */
function withTally(bucket: BucketDocument): BucketDocument {
  const { friends, bonuses } = tallyOf(bucket);
  return { ...bucket, tally: { friends, bonuses } };
}

/** The referrer whose bucket it is. */
function referrerOf(id: string): string {
  return id.slice(0, id.indexOf(':'));
}

/** The referrer's 86 CORD for one friend. */
function bonusOf(referrerId: string, friendId: string): PromisedCredit {
  return {
    key: `refwelcome:${referrerId}:${friendId}`,
    userId: referrerId,
    source: 'refwelcome',
    amountMicro: REFERRER_BONUS_MICRO,
    reason: 'A friend ran a node for ten minutes',
  };
}
