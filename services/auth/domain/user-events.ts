import { sessionOpened, userErased, userRegistered, userSettings, userUpdated } from '@cord/contracts/events/user';
import type { Newcomer } from '@cord/contracts/rpc/referral';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';
import { avatarPath } from './avatar.js';
import type { UserDoc } from './user-doc.js';

/** Builds user.registered of a newcomer, for the outbox of the same write. */
export function userRegisteredItem(user: UserDoc): OutboxEvent {
  return eventItem(
    userRegistered,
    { userId: user._id, seq: user.seq, atMs: user.joinedAtMs },
    {
      ...profileOf(user),
      referralCode: user.onboarding.referralCode,
      welcomeMicro: user.onboarding.welcomeMicro.toString(),
    },
  );
}

/** Builds the same for referrals alone, requested during the sign-in. */
export function newcomerOf(user: UserDoc): Newcomer {
  const { username, avatar, returning } = profileOf(user);
  return { username, avatar, returning, welcomeMicro: user.onboarding.welcomeMicro.toString() };
}

/** Builds user.updated of a changed name, picture or last sign-in. */
export function userUpdatedItem(user: UserDoc): OutboxEvent {
  return eventItem(userUpdated, { userId: user._id, seq: user.seq, atMs: user.lastLoginAtMs }, profileOf(user));
}

/** Builds user.settings; none before the first choice. */
export function userSettingsItems(user: UserDoc, atMs: number): OutboxEvent[] {
  const { _id, seq, notices = {}, notifications, quietHours = null, locale } = user;
  const hasChosen = user.notices !== undefined || quietHours !== null || !notifications || locale !== LIKE_BROWSER;
  const state = { notices, notifications, quietHours, locale };
  return hasChosen ? [eventItem(userSettings, { userId: _id, seq, atMs }, state)] : [];
}

/** Builds session.opened; none before the first sign-in from a new device. */
export function sessionOpenedItems({ _id, seq, opened }: UserDoc): OutboxEvent[] {
  const atMs = opened?.at(-1)?.openedAtMs;
  if (!opened || atMs === undefined) return [];
  const sessions = opened.map(({ sessionId, device, openedAtMs }) => ({ sessionId, device, openedAt: openedAtMs }));
  return [eventItem(sessionOpened, { userId: _id, seq, atMs }, { opened: sessions })];
}

/** Builds user.erased: every service erases the person (services/README.md#erasure). */
export function userErasedItem(userId: string, seq: number, atMs: number): OutboxEvent {
  return eventItem(userErased, { userId, seq, atMs }, {});
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
