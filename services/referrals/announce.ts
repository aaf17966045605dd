import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import type { ReferralPlace } from '@cord/contracts/rpc/referral';
import { eventItem, type OutboxEvent, withItem } from '@cord/kit/outbox/items';
import type { Tally } from './domain/sums.js';
import type { Member } from './store.js';

/** A member's place among referrals, as it is told. No name: its owner is auth, and an erased one must not stay behind. */
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

/** What a friend's record tells the referrer: the friend has joined. Null for who has no referrer. */
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
