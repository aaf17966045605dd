import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import type { ReferralPlace } from '@cord/contracts/rpc/referral';
import { eventItem, type OutboxEvent, type WithOutbox, withItem } from '@cord/kit/outbox/items';
import { type Commission, NO_COMMISSION } from './domain/commission.js';
import type { Friend } from './domain/friend.js';
import type { Address, Mined } from './domain/network.js';
import type { Tally } from './domain/sums.js';

/** Auth's data of a user. */
export interface Profile {
  username: string;
  avatar: string | null;
  /** Whether the user returned after an erasure and is refused both referral bonuses (services/README.md#erasure). */
  returning: boolean;
  /** Own welcome credit, micro-CORD; the newcomer's bonus is a tenth of it. */
  welcomeMicro: bigint;
  /** Version of auth's record for name and picture; absent when stored during sign-in. */
  seq?: bigint;
}

/** The referrer of a user. */
export interface Referrer {
  userId: string;
  atMs: number;
  /** Number of the referrer's bucket for the friend's line; absent until the friend is in the books. */
  bucket?: number;
  /** The request that made the link was not completed: the same code returns the link. Absent once completed. */
  unanswered?: true;
}

/** A user's referral record: own code, referrer, commission. */
export interface Member extends WithOutbox {
  code?: string;
  profile: Profile | null;
  erased: boolean;
  address: Address;
  /** Addresses whose friends must be counted again, because the own address changed from or to them; true: all friends. */
  recounting?: true | string[];
  /** Addresses where the user mined; absent before the first node event. */
  mined?: Mined;
  referredBy: Referrer | null;
  /** The user's earnings as the referrer's friend; present from the link on. */
  friend?: Friend;
  /**
   * When to update the books from the stream, ms: until then, events of a running node may be skipped (follow.ts).
   * Due at once after a change that is never redelivered. Absent while nothing can be behind.
   */
  againAt?: number;
  /** Key in the admins' list of holds (holds.ts); absent while nothing is or was held for this friend. */
  holdKey?: string;
  /** When the wait of the 86 CORD for this friend ends without an event, ms; absent while it does not wait for time alone. */
  bonusAt?: number;
  /** The declared referrer of a link in progress, visible to concurrent searches for cycles (services/contracts/rules/README.md#commission-and-referral-bonuses). */
  linking: {
    to: string;
    atMs: number;
    /** Version of the record that declared it, which distinguishes two declarations of the same referrer. */
    token?: bigint;
  } | null;
  /** Number of the bucket for new friends. */
  lastBucket: number;
  commission: Commission;
  /** Number of friends as last published; the buckets are authoritative. */
  friends: number;
  /** The code carried through sign-in. */
  pendingCode: {
    code: string;
    status: 'pending' | 'credited' | 'refused';
    reason: string | null;
    /** Problem type of the reason. */
    why: string | null;
  } | null;
  /** When to retry the waiting code, ms, and the number of attempts; absent while none waits. */
  codeAt?: number;
  codeTries?: number;
  /** When to report the commission to the ledger, ms; absent while nothing may be due (dues.ts). */
  dueAt?: number;
  /** Token of the report in progress; absent since the mark was renewed. */
  taken?: bigint;
  /** Time of the last commission report, ms. */
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

/** Returns a member's published place among referrals. It has no name, because auth owns names and an erased one must not remain here. */
export function placeOf(member: Member, tally: Pick<Tally, 'friends'>): ReferralPlace {
  return {
    seq: member.seq.toString(),
    referralCode: member.code ?? '',
    referredBy: member.referredBy ? { userId: member.referredBy.userId } : null,
    totalReferrals: tally.friends,
    earningsMicro: (member.commission.paidMicro + member.commission.bonusMicro).toString(),
  };
}

/** Returns the member with the event of its next version in the outbox; it replaces a pending one. */
export function announced(member: Member, tally: Pick<Tally, 'friends'>, nowMs: number): Member {
  const item = linkedItem({ ...member, seq: member.seq + 1n }, tally, nowMs);
  return withItem({ ...member, friends: tally.friends }, item, nowMs);
}

/** Returns the event that the friend joined, for the referrer; null without a referrer. */
export function joinedItem({ _id: friendId, seq, referredBy, profile }: Member, nowMs: number): OutboxEvent | null {
  if (!referredBy) return null;
  const origin = { key: `joined:${friendId}`, userId: referredBy.userId, otherId: friendId, seq, atMs: nowMs };
  const counts = profile?.returning !== true;
  return eventItem(referralJoined, origin, { friendId, joinedAt: referredBy.atMs, counts });
}

/** Returns the member with this event in the outbox, for the write that makes the link. */
export function withJoined(member: Member, nowMs: number): Member {
  const item = joinedItem({ ...member, seq: member.seq + 1n }, nowMs);
  return item ? withItem(member, item, nowMs) : member;
}

/** Returns referral.linked for a member's current state. */
export function linkedItem(member: Member, tally: Pick<Tally, 'friends'>, atMs: number): OutboxEvent {
  const { _id, seq } = member;
  return eventItem(referralLinked, { key: `referral:${_id}`, userId: _id, seq, atMs }, placeOf(member, tally));
}
