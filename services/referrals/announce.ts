import { subjectOf } from '@cord/contracts/events/envelope';
import { referralLinked } from '@cord/contracts/events/referral';
import { addToOutbox } from '@cord/kit/outbox';
import { DELETED_NAME, type Member } from './store.js';

/** What is told of a member beside what the document holds. */
export interface Told {
  referrerName: string | null;
  friends: number;
  /** Commission and bonuses paid, micro-CORD. */
  earningsMicro: bigint;
}

/** The member with the event of its next version in the outbox; a former one that waits is overwritten. */
export function announced(member: Member, told: Told, nowMs: number): Member {
  const seq = member.seq + 1n;
  const key = `referral:${member._id}`;
  const payload = {
    v: 1,
    id: `${key}:${seq}`,
    at: nowMs,
    userId: member._id,
    seq: seq.toString(),
    referralCode: member.code ?? '',
    referredBy: member.referredBy
      ? { userId: member.referredBy.userId, username: told.referrerName ?? DELETED_NAME }
      : null,
    totalReferrals: told.friends,
    earningsMicro: told.earningsMicro.toString(),
  };
  const item = { key, seq, subject: subjectOf(referralLinked, member._id), payload };
  return {
    ...member,
    friends: told.friends,
    outbox: addToOutbox(member.outbox ?? [], item),
    dirtyAt: member.dirtyAt ?? nowMs,
  };
}
