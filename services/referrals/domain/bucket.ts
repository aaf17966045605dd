import { REFERRER_BONUS_AFTER_MS } from '@cord/contracts/rules/bonuses';

/** The referrer's bonus for one friend (decisions, 86 CORD). */
export type BonusStatus = 'pending' | 'held' | 'credited' | 'refused';

/** Where a user counts in the network check. */
export interface Address {
  /** Opaque key of the address; null while none counts. */
  key: string | null;
  level: number;
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
}

/** Up to 256 friends of one referrer; changed by one compare-and-set (money.md, Commission). */
export interface Bucket {
  referrerId: string;
  friends: Record<string, Friend>;
  /** Sum of the friends' counted amounts. */
  sumMicro: bigint;
}

export const BUCKET_FRIENDS_MAX = 256;

/** Anti-cheat level from which a shared address holds payments. */
const HOLD_LEVEL = 1;

/** Held while both share an address at level 1 or more, unless an admin has released it (money.md, Commission). */
export function isHeld(friend: Friend, referrer: Address): boolean {
  if (friend.released || friend.address.key === null || friend.address.key !== referrer.key) return false;
  return Math.max(friend.address.level, referrer.level) >= HOLD_LEVEL;
}

/** What the friend's bonus looks like to the referrer. */
export function bonusStatus(friend: Friend, referrer: Address): BonusStatus {
  if (friend.bonus === 'credited' || friend.bonus === 'refused') return friend.bonus;
  return isHeld(friend, referrer) ? 'held' : 'pending';
}

/** Earned after the link and not counted yet: what a hold keeps back. */
export function heldMicro(friend: Friend): bigint {
  return friend.eligibleMicro - friend.baselineMicro - friend.countedMicro;
}

/** A bucket and the friends in it whose bonus became due by a change. */
export interface BucketChange {
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

/** Puts a friend into the bucket; one who is there stays as is. */
export function withFriend(bucket: Bucket, friendId: string, friend: Friend, referrer: Address): BucketChange {
  if (bucket.friends[friendId]) return { bucket, dueBonuses: [] };
  return recounted(
    { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, countedMicro: 0n } } },
    [friendId],
    referrer,
  );
}

/** Takes over a friend's account, unless a newer one is known. @returns null when nothing changes */
export function withAccount(
  bucket: Bucket,
  friendId: string,
  account: FriendAccount,
  referrer: Address,
): BucketChange | null {
  const friend = bucket.friends[friendId];
  if (!friend || account.accountSeq <= friend.accountSeq) return null;
  return recounted(
    { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, ...account } } },
    [friendId],
    referrer,
  );
}

/** Takes over where a friend counts in the network check. @returns null when nothing changes */
export function withAddress(
  bucket: Bucket,
  friendId: string,
  address: Address,
  referrer: Address,
): BucketChange | null {
  const friend = bucket.friends[friendId];
  if (!friend || (friend.address.key === address.key && friend.address.level === address.level)) return null;
  return recounted(
    { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, address } } },
    [friendId],
    referrer,
  );
}

/** Ends a friend's hold for good, by an admin. @returns null for a friend who is not here */
export function withRelease(bucket: Bucket, friendId: string, referrer: Address): BucketChange | null {
  const friend = bucket.friends[friendId];
  if (!friend) return null;
  return recounted(
    { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, released: true } } },
    [friendId],
    referrer,
  );
}

/** Counts every friend again: the referrer's own address has changed. */
export function recountedAll(bucket: Bucket, referrer: Address): BucketChange {
  return recounted(bucket, Object.keys(bucket.friends), referrer);
}

/** Notes that a promised bonus stands in the ledger. */
export function withBonusCredited(bucket: Bucket, friendId: string): Bucket {
  const friend = bucket.friends[friendId];
  if (!friend) return bucket;
  return { ...bucket, friends: { ...bucket.friends, [friendId]: { ...friend, bonus: 'credited' } } };
}

/** How many bonuses of this bucket stand in the ledger. */
export function bonusesCredited(bucket: Bucket): number {
  return Object.values(bucket.friends).filter((friend) => friend.bonus === 'credited').length;
}

function recounted(bucket: Bucket, friendIds: readonly string[], referrer: Address): BucketChange {
  const friends = { ...bucket.friends };
  const dueBonuses: string[] = [];
  let { sumMicro } = bucket;
  for (const friendId of friendIds) {
    const friend = friends[friendId];
    if (!friend || isHeld(friend, referrer)) continue;
    const countedMicro = friend.eligibleMicro - friend.baselineMicro;
    sumMicro += countedMicro - friend.countedMicro;
    const bonusDue = friend.bonus === 'pending' && friend.ranMs >= REFERRER_BONUS_AFTER_MS;
    if (bonusDue) dueBonuses.push(friendId);
    friends[friendId] = { ...friend, countedMicro, bonus: bonusDue ? 'promised' : friend.bonus };
  }
  return { bucket: { ...bucket, friends, sumMicro }, dueBonuses };
}
