import { ageTenths } from '@cord/contracts/rules/age';
import { welcomeMicro } from '@cord/contracts/rules/bonuses';
import { LIKE_BROWSER } from '@cord/contracts/rules/locale';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import { afterSignIn } from './devices.js';
import type { DiscordProfile } from './discord-profile.js';
import type { RoleState } from './role.js';
import type { UserDoc } from './user-doc.js';

/** How long the sign-in itself works on a newcomer's steps before the sweep resumes them, ms, so that both do not run at once. */
const RESUME_DELAY_MS = 10_000;

/** Creates a newcomer's record. It fixes the welcome credit, by displayed age and tier, before the ledger is called (services/mining/ledger/README.md#credit). */
export function newUser(given: {
  userId: string;
  profile: DiscordProfile;
  referralCode: string | null;
  returning: boolean;
  role: RoleState;
  sessionId: string;
  device: string;
  nowMs: number;
  /** The rule book in force. */
  book: RuleBook;
}): UserDoc {
  const { userId, profile, referralCode, returning, role, sessionId, device, nowMs, book } = given;
  const { discordCreatedAtMs } = profile;
  const tier = tierHundredths(book, nowMs - discordCreatedAtMs);
  return {
    _id: userId,
    ...fromProfile(profile),
    discordId: profile.discordId,
    discordCreatedAtMs,
    joinedAtMs: nowMs,
    lastLoginAtMs: nowMs,
    locale: LIKE_BROWSER,
    theme: 'system',
    autoStart: false,
    notifications: true,
    devices: [device],
    ...role,
    returning,
    onboarding: {
      ledgerOpened: false,
      welcomeKey: `welcome:${userId}`,
      welcomeMicro: welcomeMicro(ageTenths(discordCreatedAtMs, nowMs), tier),
      welcomeState: returning ? 'refused' : 'pending',
      referralCode,
      referralState: referralCode === null ? 'none' : 'pending',
      referralBonusMicro: null,
      dueAtMs: nowMs + RESUME_DELAY_MS,
      tries: 0,
    },
    greeting: { isNewUser: true, acknowledged: false, sessionId },
    seq: 1,
    outbox: [],
  };
}

/** Returns the changes when a known user signs in: Discord's name and picture, the time, the greeting. */
export function signedInAgain(
  user: UserDoc,
  profile: DiscordProfile,
  given: { nowMs: number; role: RoleState; sessionId: string; device: string },
): Partial<UserDoc> {
  const { nowMs, role, sessionId, device } = given;
  const stillNew = user.greeting.isNewUser && !user.greeting.acknowledged;
  return {
    ...fromProfile(profile),
    lastLoginAtMs: nowMs,
    ...role,
    ...afterSignIn(user, { sessionId, device, openedAtMs: nowMs }),
    greeting: { ...user.greeting, isNewUser: stillNew, acknowledged: false, sessionId },
  };
}

function fromProfile(profile: DiscordProfile) {
  return {
    username: profile.username,
    usernameLower: profile.username.toLowerCase(),
    discriminator: profile.discriminator,
    avatar: profile.avatar,
    secondFactor: profile.secondFactor,
  };
}
