import { type Hold, referralEndpoints } from '@cord/contracts/http/referrals';
import { commissionMicro, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { microToNumber } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { DELETED_NAME } from '@cord/contracts/texts';
import type { AuditLog } from '@cord/kit/audit-log';
import type { Http } from '@cord/kit/http';
import { pageOf } from '@cord/kit/page';
import { forbidden, notFound } from '@cord/kit/problem';
import { bonusStatus, holdStateOf, isBonusOpen, sharesAddress } from '../domain/friend.js';
import type { Follow } from '../follow.js';
import { heldSinceMs } from '../holds.js';
import type { Member } from '../member.js';
import type { ReferralStore } from '../store.js';

interface Parts {
  store: ReferralStore;
  follow: Pick<Follow, 'decide'>;
  audit: Pick<AuditLog, 'write' | 'forget'>;
}

/** Registers the admins' routes to the holds of the network check: a paged list, and decisions one by one. */
export function holdRoutes(http: Http, { store, follow, audit }: Parts): void {
  const referrersOf = (friends: readonly Member[]) =>
    store.membersById(friends.flatMap(({ referredBy }) => referredBy?.userId ?? []));

  http.route(referralEndpoints.holds, async ({ query: { state, cursor, limit }, now }) => {
    const after = cursor?.startsWith(`${state}-`) ? cursor : null;
    const found = await store.holds(state, { after, limit: limit + 1 });
    const { shown, nextCursor } = pageOf(found, limit, ({ holdKey }) => holdKey ?? '');
    const referrers = await referrersOf(shown);
    return { holds: shown.flatMap((friend) => presentHold(friend, referrers, now) ?? []), nextCursor };
  });

  /** @throws Problem 404 unless the user is a friend, of this referrer if given; 403 when the operator is one of the two */
  const friendOf = async (friendId: string, operatorId: string, ofReferrer?: string) => {
    const member = await store.members.get(friendId);
    const referrerId = member?.referredBy?.userId;
    if (!member?.friend || referrerId === undefined || (ofReferrer !== undefined && ofReferrer !== referrerId)) {
      throw notFound('referral-not-found', 'Referral not found');
    }
    if (operatorId === friendId || operatorId === referrerId)
      throw forbidden('own-hold', 'Another operator has to decide about your own invitations');
    return { member, referrerId, from: member.friend };
  };

  http.route(referralEndpoints.decideHold, async ({ params: { friendId }, body, user, now }) => {
    const { decision, reason } = body;
    const { member, referrerId, from } = await friendOf(friendId, user.id);
    const state = member.holdKey?.split('-')[0] ?? null;
    const detail = { reason, friendId, before: state, after: decision };
    const act = { adminId: user.id, action: `referral.${decision}`, target: referrerId, detail };
    await audit.write({ ...act, about: friendId });
    // An erasure of one of them does not see entries written afterwards.
    for (const userId of [friendId, referrerId]) {
      if ((await store.members.get(userId))?.erased) await audit.forget(userId);
    }
    await follow.decide(friendId, decision, from);
    const after = (await store.members.get(friendId)) ?? member;
    return presentHold(after, await referrersOf([after]), now) as Hold;
  });

  http.route(referralEndpoints.release, async ({ params: { userId, friendId }, user }) => {
    const { from } = await friendOf(friendId, user.id, userId);
    await audit.write({ adminId: user.id, action: 'referral.release', target: userId, detail: { friendId } });
    await follow.decide(friendId, 'release', from);
    return { success: true as const };
  });
}

/** @returns null for a user who is not a friend */
function presentHold(member: Member, referrers: ReadonlyMap<string, Member>, nowMs: number): Hold | null {
  const { _id, friend, referredBy, address, mined, profile, holdKey } = member;
  const referrer = referredBy && referrers.get(referredBy.userId);
  if (!friend || !referrer) return null;
  const known = { friend, address, mined };
  const standing = { referrer: referrer.address, mined: referrer.mined, erased: referrer.erased, nowMs };
  const shares = sharesAddress(known, referrer.address);
  const bonusHeld = isBonusOpen(friend) && bonusStatus(known, standing) === 'held';
  const paidMicro = commissionMicro(FIRST_BOOK, friend.countedMicro);
  return {
    friendId: _id,
    friend: profile?.username ?? DELETED_NAME,
    referrerId: referrer._id,
    referrer: referrer.profile?.username ?? DELETED_NAME,
    state: holdStateOf(known, standing) ?? 'held',
    since: new Date(holdKey === undefined ? nowMs : heldSinceMs(holdKey)).toISOString(),
    linkedAt: new Date(friend.linkedAtMs).toISOString(),
    sharesAddress: shares,
    level: shares ? Math.max(address.level, referrer.address.level) : address.level,
    friendRanMs: friend.ranMs,
    commission: microToNumber(commissionMicro(FIRST_BOOK, friend.heldMicro ?? 0n)),
    bonus: microToNumber(bonusHeld ? REFERRER_BONUS_MICRO : 0n),
    paid: microToNumber(paidMicro + (friend.bonus === 'credited' ? REFERRER_BONUS_MICRO : 0n)),
  };
}
