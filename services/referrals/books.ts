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
  bonusesCredited,
  type FriendAccount,
  recountedAll,
  withAccount,
  withAddress,
  withBonusCredited,
  withFriend,
  withRelease,
} from './domain/bucket.js';
import { type BucketDocument, bucketId, type Member, type ReferralStore } from './store.js';

/** The referrers' books: which friends stand where, and what they have earned since. */
export interface Books {
  /** Puts a linked user into the referrer's books; repeatable, so that a crash in between is made good. */
  enter(userId: string, baseline: FriendAccount): Promise<void>;
  /** A friend's account has changed. */
  takeAccount(userId: string, account: FriendAccount): Promise<void>;
  /** A user counts at another address: as a friend, and as a referrer of others. */
  takeAddress(userId: string, address: Address): Promise<void>;
  /** An admin ends a hold. @returns whether the friend is in the referrer's books */
  release(referrerId: string, friendId: string): Promise<boolean>;
  /** A promised bonus stands in the ledger. */
  bonusCredited(id: string, credit: PromisedCredit): Promise<void>;
  /** Tells all of a member's state, counted from the buckets. */
  announce(userId: string): Promise<void>;
}

interface Parts {
  store: ReferralStore;
  clock: Clock;
  /** Of the buckets: the referrers' bonuses. */
  promises: () => PromisedCredits;
  relay: Relay;
}

const NOWHERE: Address = { key: null, level: 0 };

export function createBooks({ store, clock, promises, relay }: Parts): Books {
  /** Applies a change to a bucket, promises bonuses that fell due in the same write, and marks the referrer as due. */
  const change = async (id: string, step: (bucket: Bucket) => BucketChange | null): Promise<boolean> => {
    const { due, changed } = await store.buckets.change(id, (document) => {
      const next = step(document);
      if (!next || next.bucket === document) return { doc: null, result: { due: [], changed: next !== null } };
      const due = next.dueBonuses.map((friendId) => bonusOf(document.referrerId, friendId));
      const doc: BucketDocument = { ...document, ...next.bucket };
      if (due.length > 0) {
        doc.promised = [...(document.promised ?? []), ...due];
        doc.promisedAt = document.promisedAt ?? clock.now();
      }
      return { doc, result: { due, changed: true } };
    });
    if (changed) await markDue(id.slice(0, id.indexOf(':')));
    for (const credit of due) await promises().settle(id, credit);
    return changed;
  };
  const markDue = (referrerId: string): Promise<void> =>
    store.members.change(referrerId, (member) => ({
      doc: member.dueAt === undefined && !member.erased ? { ...member, dueAt: clock.now() } : null,
      result: undefined,
    }));
  const announce = async (userId: string): Promise<void> => {
    const buckets = await store.bucketsOf(userId);
    const friends = buckets.reduce((sum, bucket) => sum + Object.keys(bucket.friends).length, 0);
    const bonuses = buckets.reduce((sum, bucket) => sum + bonusesCredited(bucket), 0);
    const member = await store.members.get(userId);
    const referrer = member?.referredBy ? await store.members.get(member.referredBy.userId) : null;
    await store.members.change(userId, (present) => {
      if (present.erased) return { doc: null, result: undefined };
      const earningsMicro = present.commission.paidMicro + BigInt(bonuses) * REFERRER_BONUS_MICRO;
      const told = { referrerName: referrer?.profile?.username ?? null, friends, earningsMicro };
      return { doc: announced(present, told, clock.now()), result: undefined };
    });
    void relay.relayNow(userId);
  };
  /** Finds a bucket with room, from the last one on. */
  const place = async (friend: Member, baseline: FriendAccount, referrer: Member): Promise<string> => {
    const entry = {
      ...baseline,
      linkedAtMs: friend.referredBy?.atMs ?? clock.now(),
      baselineMicro: baseline.eligibleMicro,
      countedMicro: 0n,
      bonus: friend.profile?.returning ? ('refused' as const) : ('pending' as const),
      address: friend.address,
      released: false,
    };
    for (let index = referrer.lastBucket; ; index += 1) {
      const id = bucketId(referrer._id, index);
      let full = false;
      await change(id, (bucket) => {
        full = !bucket.friends[friend._id] && Object.keys(bucket.friends).length >= BUCKET_FRIENDS_MAX;
        return full ? null : withFriend(bucket, friend._id, entry, referrer.address);
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
  const addressOf = async (userId: string): Promise<Address> => (await store.members.get(userId))?.address ?? NOWHERE;

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
      if (!friend?.referredBy) return;
      const { userId: referrerId, bucketId: id } = friend.referredBy;
      if (!id) {
        // A crash between link and books: entered now, with the baseline that stands at the link.
        await this.enter(userId, friend.referredBy.baseline ?? account);
        return this.takeAccount(userId, account);
      }
      const referrer = await addressOf(referrerId);
      await change(id, (bucket) => withAccount(bucket, userId, account, referrer));
    },
    async takeAddress(userId, address) {
      const member = await store.members.change(userId, (present) => {
        if (present.address.key === address.key && present.address.level === address.level) {
          return { doc: null, result: present };
        }
        const doc = { ...present, address };
        return { doc, result: doc };
      });
      if (member.referredBy?.bucketId) {
        const referrer = await addressOf(member.referredBy.userId);
        await change(member.referredBy.bucketId, (bucket) => withAddress(bucket, userId, address, referrer));
      }
      for (const bucket of await store.bucketsOf(userId)) {
        await change(bucket._id, (present) => recountedAll(present, address));
      }
    },
    async release(referrerId, friendId) {
      const friend = await store.members.get(friendId);
      if (friend?.referredBy?.userId !== referrerId || !friend.referredBy.bucketId) return false;
      const referrer = await addressOf(referrerId);
      return change(friend.referredBy.bucketId, (bucket) => withRelease(bucket, friendId, referrer));
    },
    async bonusCredited(id, credit) {
      const friendId = credit.key.slice(credit.key.lastIndexOf(':') + 1);
      await store.buckets.change(id, (bucket) => ({
        doc: { ...bucket, ...withBonusCredited(bucket, friendId) },
        result: undefined,
      }));
      await store.savePayment({
        _id: credit.key,
        userId: credit.userId,
        atMs: clock.now(),
        amountMicro: credit.amountMicro,
      });
      await announce(credit.userId);
    },
  };
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
