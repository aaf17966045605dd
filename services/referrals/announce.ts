import { subjectOf } from '@cord/contracts/events/envelope';
import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import type { ReferralPlace } from '@cord/contracts/rpc/referral';
import { REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { addToOutbox, type OutboxItem } from '@cord/kit/outbox';
import type { Tally } from './domain/bucket.js';
import type { Member } from './store.js';

/** A member's place among referrals, as it is told. No name: its owner is auth, and an erased one must not stay behind. */
export function placeOf(member: Member, tally: Tally): ReferralPlace {
  return {
    seq: member.seq.toString(),
    referralCode: member.code ?? '',
    referredBy: member.referredBy ? { userId: member.referredBy.userId } : null,
    totalReferrals: tally.friends,
    earningsMicro: (member.commission.paidMicro + BigInt(tally.bonuses) * REFERRER_BONUS_MICRO).toString(),
  };
}

/** The member with the event of its next version in the outbox; a former one that waits is overwritten. */
export function announced(member: Member, tally: Tally, nowMs: number): Member {
  const item = linkedItem({ ...member, seq: member.seq + 1n }, tally, nowMs);
  return {
    ...member,
    friends: tally.friends,
    outbox: addToOutbox(member.outbox ?? [], item),
    dirtyAt: member.dirtyAt ?? nowMs,
  };
}

/** What a friend's record tells the referrer: the friend has joined. Null for who has no referrer. */
export function joinedItem({ _id: friendId, seq, referredBy, profile }: Member, nowMs: number): OutboxItem | null {
  if (!referredBy) return null;
  const key = `joined:${friendId}`;
  const payload = {
    v: 1,
    id: `${key}:${seq}`,
    at: nowMs,
    userId: referredBy.userId,
    seq: seq.toString(),
    friendId,
    joinedAt: referredBy.atMs,
    counts: profile?.returning !== true,
  };
  return { key, seq, subject: subjectOf(referralJoined, referredBy.userId, friendId), payload };
}

/** The member with that in the outbox of the write that makes the link. */
export function withJoined(member: Member, nowMs: number): Member {
  const item = joinedItem({ ...member, seq: member.seq + 1n }, nowMs);
  if (!item) return member;
  return { ...member, outbox: addToOutbox(member.outbox ?? [], item), dirtyAt: member.dirtyAt ?? nowMs };
}

/** referral.linked of a member as it stands. */
export function linkedItem(member: Member, tally: Tally, atMs: number): OutboxItem {
  const { _id, seq } = member;
  const key = `referral:${_id}`;
  const { referredBy, ...place } = placeOf(member, tally);
  const payload = {
    v: 1,
    id: `${key}:${seq}`,
    at: atMs,
    userId: _id,
    ...place,
    // Readers of the release before want a name.
    referredBy: referredBy && { ...referredBy, username: '' },
  };
  return { key, seq, subject: subjectOf(referralLinked, _id), payload };
}
