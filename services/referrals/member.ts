import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import type { ReferralPlace } from '@cord/contracts/rpc/referral';
import { eventItem, type OutboxEvent, type WithOutbox, withItem } from '@cord/kit/outbox/items';
import { type Commission, NO_COMMISSION } from './domain/commission.js';
import type { Friend } from './domain/friend.js';
import type { Address, Mined } from './domain/network.js';
import type { Tally } from './domain/sums.js';

/** What auth has published of a user. */
export interface Profile {
  username: string;
  avatar: string | null;
  /** Refused both referral bonuses: returned after an erasure (services/README.md#erasure). */
  returning: boolean;
  /** Own welcome credit, micro-CORD; the newcomer's bonus is a tenth of it. */
  welcomeMicro: bigint;
  /** Version of auth's record that name and picture come from; absent of one taken in while signing in. */
  seq?: bigint;
}

/** Who referred a user. */
export interface Referrer {
  userId: string;
  atMs: number;
  /** Bucket of the referrer's that holds the friend's line, or is to hold it. Absent until the friend is entered in the books. */
  bucket?: number;
  /** The request that made the link has not come to its end: the same code is answered with the link. Absent once it has. */
  unanswered?: true;
}

/** One user among referrals: own code, referrer, commission. */
export interface Member extends WithOutbox {
  code?: string;
  profile: Profile | null;
  erased: boolean;
  address: Address;
  /** Friends at these addresses are to be counted again, since the own address changed from one of them to another; true: all friends. */
  recounting?: true | string[];
  /** Where the user has mined; absent before the first node event. */
  mined?: Mined;
  referredBy: Referrer | null;
  /** What the user has earned as the referrer's friend; there from the link on. */
  friend?: Friend;
  /**
   * From when on the books are to be brought up to the friend's balance in the stream and passed up, ms: until then news of a node
   * that runs may be passed over (follow.ts). At once after a change that nothing brings again. Absent while nothing may be behind.
   */
  againAt?: number;
  /** Place among the holds that admins look through (holds.ts); absent while nothing is or was held back for this friend. */
  holdKey?: string;
  /** When the wait of the 86 CORD for this friend is over though no event comes, ms; absent while it does not wait for time alone. */
  bonusAt?: number;
  /** The referrer whom the user is about to get: seen by others who look for cycles (services/contracts/rules/README.md#commission-and-referral-bonuses). */
  linking: {
    to: string;
    atMs: number /** The record's version that made it: of two that name the same referrer each is its own. */;
    token?: bigint;
  } | null;
  /** Number of the bucket that new friends go into. */
  lastBucket: number;
  commission: Commission;
  /** Friends, as last published; the buckets are the truth. */
  friends: number;
  /** A code that came through sign-in. */
  pendingCode: {
    code: string;
    status: 'pending' | 'credited' | 'refused';
    reason: string | null;
    /** The reason's type. */
    why: string | null;
  } | null;
  /** When the code that waits is to be tried again, ms, and how often it was; absent while none waits. */
  codeAt?: number;
  codeTries?: number;
  /** From when on the commission is to be reported to the ledger, ms; absent while nothing may be due (dues.ts). */
  dueAt?: number;
  /** Who has taken the mark to report it; absent since the mark was made anew. */
  taken?: bigint;
  /** When the commission was reported last, ms. */
  reportedAt?: number;
}

export function newMember(id: string): Member {
  return {
    _id: id,
    seq: 0n,
    profile: null,
    erased: false,
    address: { key: null, level: 0 },
    referredBy: null,
    linking: null,
    lastBucket: 0,
    commission: NO_COMMISSION,
    friends: 0,
    pendingCode: null,
  };
}

/** A member's place among referrals, as it is published. No name: its owner is auth, and an erased one must not stay behind. */
export function placeOf(member: Member, tally: Pick<Tally, 'friends'>): ReferralPlace {
  return {
    seq: member.seq.toString(),
    referralCode: member.code ?? '',
    referredBy: member.referredBy ? { userId: member.referredBy.userId } : null,
    totalReferrals: tally.friends,
    earningsMicro: (member.commission.paidMicro + member.commission.bonusMicro).toString(),
  };
}

/** The member with the event of its next version in the outbox; a former one that waits is overwritten. */
export function announced(member: Member, tally: Pick<Tally, 'friends'>, nowMs: number): Member {
  const item = linkedItem({ ...member, seq: member.seq + 1n }, tally, nowMs);
  return withItem({ ...member, friends: tally.friends }, item, nowMs);
}

/** What a friend's record reports to the referrer: the friend has joined. Null without a referrer. */
export function joinedItem({ _id: friendId, seq, referredBy, profile }: Member, nowMs: number): OutboxEvent | null {
  if (!referredBy) return null;
  const origin = { key: `joined:${friendId}`, userId: referredBy.userId, otherId: friendId, seq, atMs: nowMs };
  const counts = profile?.returning !== true;
  return eventItem(referralJoined, origin, { friendId, joinedAt: referredBy.atMs, counts });
}

/** The member with that in the outbox of the write that makes the link. */
export function withJoined(member: Member, nowMs: number): Member {
  const item = joinedItem({ ...member, seq: member.seq + 1n }, nowMs);
  return item ? withItem(member, item, nowMs) : member;
}

/** referral.linked of a member as it stands. */
export function linkedItem(member: Member, tally: Pick<Tally, 'friends'>, atMs: number): OutboxEvent {
  const { _id, seq } = member;
  return eventItem(referralLinked, { key: `referral:${_id}`, userId: _id, seq, atMs }, placeOf(member, tally));
}
