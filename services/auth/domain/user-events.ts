import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { userErased, userRegistered, userUpdated } from '@cord/contracts/events/user';
import type { Newcomer } from '@cord/contracts/rpc/referral';
import type { OutboxItem } from '@cord/kit/outbox';
import type { UserDoc } from '../store/users.js';
import { avatarPath } from './avatar.js';

/** user.registered of a newcomer, for the outbox of the same write. */
export function userRegisteredItem(user: UserDoc): OutboxItem {
  return outboxItem(userRegistered, user._id, user.seq, user.joinedAtMs, {
    ...profileOf(user),
    referralCode: user.onboarding.referralCode,
    welcomeMicro: user.onboarding.welcomeMicro.toString(),
  });
}

/** The same for referrals alone, in the moment of the sign-in. */
export function newcomerOf(user: UserDoc): Newcomer {
  const { username, avatar, returning } = profileOf(user);
  return { username, avatar, returning, welcomeMicro: user.onboarding.welcomeMicro.toString() };
}

/** user.updated of a changed name, picture or last sign-in. */
export function userUpdatedItem(user: UserDoc): OutboxItem {
  return outboxItem(userUpdated, user._id, user.seq, user.lastLoginAtMs, profileOf(user));
}

/** user.erased: every service forgets the person (money.md, Erasure). */
export function userErasedItem(userId: string, seq: number, atMs: number): OutboxItem {
  return outboxItem(userErased, userId, seq, atMs, {});
}

/**
 * An event of a document's version, as a slot of its outbox: a newer event of the kind takes the place of one that has
 * not gone out. The message id is unique in the stream, whatever the subject (field-notes, NATS).
 */
export function outboxItem(
  kind: EventKind,
  userId: string,
  seq: number,
  atMs: number,
  state: Record<string, unknown>,
): OutboxItem {
  const key = `${kind.thing}.${kind.verb}:${userId}`;
  const payload = { v: 1, id: `${key}:${seq}`, at: atMs, userId, seq: String(seq), ...state };
  return { key, seq, subject: subjectOf(kind, userId), payload };
}

function profileOf(user: UserDoc) {
  return {
    username: user.username,
    avatar: avatarPath(user),
    discordCreatedAt: user.discordCreatedAtMs,
    joinedAt: user.joinedAtMs,
    lastLoginAt: user.lastLoginAtMs,
    returning: user.returning,
  };
}
