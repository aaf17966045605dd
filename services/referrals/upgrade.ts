import { createLru } from '@cord/kit/lru';
import { bonusIn, bucketFrom, friendFrom, indexOf } from './domain/former.js';
import { type Friend, type FriendAccount, newFriend } from './domain/friend.js';
import { NO_TALLY, type Tally } from './domain/sums.js';
import type { FormerStore } from './former-store.js';
import type { Member } from './store.js';
import type { SumStore, Sums } from './sums.js';

/** Referrers remembered as counted, so that an event asks only once. */
const REMEMBERED = 10_000;

/** Where a friend's record comes from when it has none yet. */
export interface Beginning {
  friend: Friend;
  /** Bucket of the release before; null for one who stood in none. */
  bucket: number | null;
}

/**
 * Takes over what the release before kept: whole friends in the referrer's buckets. A referrer's buckets are counted at the
 * first touch, so that no sum is ever less than before; a friend's own record is made at the friend's next event, or by the
 * sweep. The former buckets stay for a day after their last change: a former release that still runs beside this one goes on
 * with them, and what it writes there is taken over too.
 */
export interface Upgrade {
  /** Counts the former buckets of a referrer, once and for good: before anything of this referrer moves. */
  count(referrerId: string): Promise<void>;
  /** What a referrer's friends come to. */
  tallyOf(referrerId: string): Promise<Tally>;
  /**
   * What a friend's record begins with.
   * @param account where a record of before does not tell the baseline
   * @returns null when nothing tells it: the friend's next balance does
   */
  beginningOf(member: Member, account?: FriendAccount): Promise<Beginning | null>;
  /** Friends as the former buckets have them, of members without a record of their own. */
  formerFriends(members: readonly Member[]): Promise<Map<string, Friend>>;
}

export function createUpgrade(sumStore: SumStore, former: FormerStore, sums: Pick<Sums, 'passBucket'>): Upgrade {
  const remembered = createLru<string, true>(REMEMBERED);
  const countBuckets = async (referrerId: string, ids: readonly string[]): Promise<void> => {
    let bonusMicro = 0n;
    for (const id of ids) {
      const bucket = await former.get(id);
      if (!bucket) continue;
      const { head, lines } = bucketFrom(bucket);
      await sumStore.addBucket(referrerId, indexOf(id), head, lines);
      await sums.passBucket(referrerId, indexOf(id));
      bonusMicro += bonusIn(bucket);
    }
    if (bonusMicro > 0n) await sumStore.raiseBonus(referrerId, bonusMicro);
    await sumStore.noteCounted(referrerId);
    remembered.set(referrerId, true);
  };
  return {
    async count(referrerId) {
      if (remembered.get(referrerId)) return;
      if ((await sumStore.totals(referrerId))?.counted) remembered.set(referrerId, true);
      else await countBuckets(referrerId, await former.idsOf(referrerId));
    },
    async tallyOf(referrerId) {
      const totals = await sumStore.totals(referrerId);
      if (totals?.counted) return totals;
      // Of somebody without friends nothing is written.
      const ids = await former.idsOf(referrerId);
      if (ids.length === 0) return totals ?? NO_TALLY;
      await countBuckets(referrerId, ids);
      return (await sumStore.totals(referrerId)) ?? NO_TALLY;
    },
    async beginningOf({ _id, referredBy, profile }, account) {
      if (!referredBy) return null;
      // A crash of the release before may have left a friend in a bucket without a note of it.
      const id = referredBy.bucketId ?? (await former.bucketWith(referredBy.userId, _id));
      const line = id ? (await former.linesIn(id, [_id])).get(_id) : undefined;
      if (id && line) return { friend: friendFrom(line), bucket: indexOf(id) };
      const baseline = referredBy.baseline ?? account;
      if (!baseline) return null;
      return { friend: newFriend(baseline, referredBy.atMs, profile?.returning === true), bucket: null };
    },
    async formerFriends(members) {
      const byBucket = new Map<string, string[]>();
      for (const { _id, referredBy } of members) {
        if (!referredBy?.bucketId) continue;
        byBucket.set(referredBy.bucketId, [...(byBucket.get(referredBy.bucketId) ?? []), _id]);
      }
      const found = new Map<string, Friend>();
      for (const [id, friendIds] of byBucket) {
        for (const [friendId, line] of await former.linesIn(id, friendIds)) found.set(friendId, friendFrom(line));
      }
      return found;
    },
  };
}
