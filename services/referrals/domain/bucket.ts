import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';

/** The referrer's bonus for one friend (decisions, 86 CORD). */
export type BonusStatus = 'pending' | 'held' | 'credited' | 'refused';

/** Where a user counts in the network check. */
export interface Address {
  /** Opaque key of the address; null while none counts. */
  key: string | null;
  level: number;
  /** The check has looked at a whole hour of mining. Absent as a former release told it. */
  hourMined?: boolean;
}

/** One friend in the referrer's books. All amounts in micro-CORD. */
export interface Friend {
  /** Version of the friend's ledger account that the amounts come from. */
  accountSeq: bigint;
  linkedAtMs: number;
  /** Earned from mining, tasks and check-ins before the link. */
  baselineMicro: bigint;
  /** Earned from them in all. */
  eligibleMicro: bigint;
  /** What counts for commission: eligible less baseline, frozen while held. */
  countedMicro: bigint;
  /** Earned from everything, for show. */
  totalMicro: bigint;
  /** Node time in all, ms. */
  ranMs: number;
  bonus: 'pending' | 'promised' | 'credited' | 'refused';
  address: Address;
  /** An admin has released the hold for good. */
  released: boolean;
  /** Came back after an erasure: nothing that this friend earns counts (money.md, Erasure). Earlier records say it by `bonus` alone. */
  returned?: true;
  /** Deleted the account, and whether money was held then: without an address nothing else could tell. */
  gone?: 'free' | 'held';
}

/** Up to 256 friends of one referrer; changed by one compare-and-set (money.md, Commission). */
export interface Bucket {
  referrerId: string;
  friends: Record<string, Friend>;
  /** Sum of the friends' counted amounts. */
  sumMicro: bigint;
}

/** What is told of a bucket without its friends; stored with it, so that nobody reads 256 friends for three numbers. */
export interface Tally {
  /** Friends who count: all but those who came back after an erasure. */
  friends: number;
  /** Bonuses that stand in the ledger. */
  bonuses: number;
  sumMicro: bigint;
}

/** What decides about a friend's money beside the friend. */
export interface Standing {
  /** Where the referrer counts. */
  referrer: Address;
  /** Whether the 86 CORD for a friend wait (domain/network.ts); never once an admin has released them. */
  waits: (friendId: string, friend: Friend) => boolean;
}

export const BUCKET_FRIENDS_MAX = 256;

/** Anti-cheat level from which a shared address holds payments. */
const HOLD_LEVEL = 1;

/** Held while both share an address at level 1 or more, unless an admin has released it (money.md, Commission). */
export function isHeld(friend: Friend, referrer: Address): boolean {
  if (friend.released) return false;
  if (friend.gone) return friend.gone === 'held';
  if (friend.address.key === null || friend.address.key !== referrer.key) return false;
  return Math.max(friend.address.level, referrer.level) >= HOLD_LEVEL;
}

/** Came back after an erasure: makes nobody else richer (money.md, Erasure). */
export function hasReturned(friend: Friend): boolean {
  return friend.returned === true || friend.bonus === 'refused';
}

/** The friend has run long enough for the bonus, and it has not been promised. */
export function isBonusOpen(friend: Friend): boolean {
  return friend.bonus === 'pending' && friend.ranMs >= REFERRER_BONUS_AFTER_MS;
}

/** What the friend's bonus looks like to the referrer. */
export function bonusStatus(friendId: string, friend: Friend, standing: Standing): BonusStatus {
  if (friend.bonus === 'credited' || friend.bonus === 'refused') return friend.bonus;
  const waits = isBonusOpen(friend) && standing.waits(friendId, friend);
  return waits || isHeld(friend, standing.referrer) ? 'held' : 'pending';
}

/** Earned after the link and not counted yet: what a hold keeps back. */
export function heldMicro(friend: Friend): bigint {
  return hasReturned(friend) ? 0n : friend.eligibleMicro - friend.baselineMicro - friend.countedMicro;
}

/** A bucket and the friends in it whose bonus became due by a change. */
export interface BucketChange {
  /** The very bucket that was given when nothing changes. */
  bucket: Bucket;
  /** Friends whose bonus is to be promised in the same write. */
  dueBonuses: string[];
}

/** A friend's account as an event tells it. */
export interface FriendAccount {
  accountSeq: bigint;
  eligibleMicro: bigint;
  totalMicro: bigint;
  ranMs: number;
}

const unchanged = (bucket: Bucket): BucketChange => ({ bucket, dueBonuses: [] });

/** Puts a friend into the bucket; one who is there stays as is. */
export function withFriend(bucket: Bucket, friendId: string, friend: Friend, standing: Standing): BucketChange {
  if (bucket.friends[friendId]) return unchanged(bucket);
  return changed(bucket, friendId, { ...friend, countedMicro: 0n }, standing);
}

/** Takes over a friend's account, unless a newer one is known or the friend is gone. */
export function withAccount(
  bucket: Bucket,
  friendId: string,
  account: FriendAccount,
  standing: Standing,
): BucketChange {
  const friend = bucket.friends[friendId];
  if (!friend || friend.gone || account.accountSeq <= friend.accountSeq) return unchanged(bucket);
  return changed(bucket, friendId, { ...friend, ...account }, standing);
}

/** Takes over where a friend counts in the network check. */
export function withAddress(bucket: Bucket, friendId: string, address: Address, standing: Standing): BucketChange {
  const friend = bucket.friends[friendId];
  if (!friend || friend.gone || sameAddress(friend.address, address)) return unchanged(bucket);
  return changed(bucket, friendId, { ...friend, address }, standing);
}

/** The friend turned out to have come back after an erasure. What was counted before stays counted. */
export function withReturned(bucket: Bucket, friendId: string): BucketChange {
  const friend = bucket.friends[friendId];
  if (!friend || hasReturned(friend)) return unchanged(bucket);
  const bonus = friend.bonus === 'pending' ? 'refused' : friend.bonus;
  return unchanged({ ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, bonus, returned: true } } });
}

/** The friend has deleted the account: the address goes, what is held stays held (money.md, Erasure). */
export function withoutAddress(bucket: Bucket, friendId: string, standing: Standing): BucketChange {
  const friend = bucket.friends[friendId];
  if (!friend || friend.gone) return unchanged(bucket);
  const gone = bonusStatus(friendId, friend, standing) === 'held' ? 'held' : 'free';
  const nowhere: Friend = { ...friend, address: { key: null, level: 0 }, gone };
  return unchanged({ ...bucket, friends: { ...bucket.friends, [friendId]: nowhere } });
}

/** Ends a friend's hold for good, by an admin. @returns null for a friend who is not here */
export function withRelease(bucket: Bucket, friendId: string, standing: Standing): BucketChange | null {
  const friend = bucket.friends[friendId];
  if (!friend) return null;
  return changed(bucket, friendId, { ...friend, released: true }, standing);
}

/** Counts friends again: what decides beside them has changed. */
export function recounted(bucket: Bucket, friendIds: readonly string[], standing: Standing): BucketChange {
  const friends = { ...bucket.friends };
  const dueBonuses: string[] = [];
  let { sumMicro } = bucket;
  let moved = false;
  for (const friendId of friendIds) {
    const friend = friends[friendId];
    if (!friend || hasReturned(friend) || isHeld(friend, standing.referrer)) continue;
    const countedMicro = friend.eligibleMicro - friend.baselineMicro;
    const bonusDue = isBonusOpen(friend) && !standing.waits(friendId, friend);
    if (countedMicro === friend.countedMicro && !bonusDue) continue;
    moved = true;
    sumMicro += countedMicro - friend.countedMicro;
    if (bonusDue) dueBonuses.push(friendId);
    friends[friendId] = { ...friend, countedMicro, bonus: bonusDue ? 'promised' : friend.bonus };
  }
  return moved ? { bucket: { ...bucket, friends, sumMicro }, dueBonuses } : unchanged(bucket);
}

/** Notes that a promised bonus stands in the ledger. */
export function withBonusCredited(bucket: Bucket, friendId: string): Bucket {
  const friend = bucket.friends[friendId];
  if (!friend || friend.bonus === 'credited') return bucket;
  return { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, bonus: 'credited' } } };
}

/** What is told of a bucket. */
export function tallyOf({ friends, sumMicro }: Bucket): Tally {
  const all = Object.values(friends);
  return {
    friends: all.filter((friend) => !hasReturned(friend)).length,
    bonuses: all.filter((friend) => friend.bonus === 'credited').length,
    sumMicro,
  };
}

/** Whether two say the same of where a user counts. */
export function sameAddress(one: Address, other: Address): boolean {
  return one.key === other.key && one.level === other.level && (one.hourMined ?? false) === (other.hourMined ?? false);
}

function changed(bucket: Bucket, friendId: string, friend: Friend, standing: Standing): BucketChange {
  return recounted({ ...bucket, friends: { ...bucket.friends, [friendId]: friend } }, [friendId], standing);
}
