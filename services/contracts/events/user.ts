import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { NOTICE_CHOICES, NOTICE_KINDS, type NoticeChoice, type NoticeKind } from '../rules/notices.js';
import { eventKind, openEnum, timeMs } from './envelope.js';

const profileShape = {
  username: z.string(),
  avatar: z.string().nullable(),
  /** Creation time of the Discord account, ms: tier and age derive from it. Never the Discord id itself. */
  discordCreatedAt: timeMs,
  joinedAt: timeMs,
  lastLoginAt: timeMs,
  /** The user returned after an erasure and gets no second one-time rewards (services/README.md#erasure). */
  returning: z.boolean(),
};

/** First sign-in. `referralCode` is the code carried through sign-in, kept until referrals has it. */
export const userRegistered = eventKind('user', 'registered', 1_024, {
  ...profileShape,
  referralCode: z.string().nullable(),
  /** The welcome credit, micro-CORD as text; the newcomer's bonus is a tenth of it. */
  welcomeMicro: z.string(),
});
/** The user's name, picture or last sign-in changed. */
export const userUpdated = eventKind('user', 'updated', 1_024, profileShape);
/** All of the user's settings that other services follow. Published from the first choice on. */
export const userSettings = eventKind('user', 'settings', 1_088, {
  /** Where each kind of notice goes: `off`, `app` or `push`; a missing kind has its default. */
  notices: z.object(
    Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, openEnum(NOTICE_CHOICES).optional()])) as Record<
      NoticeKind,
      z.ZodOptional<ReturnType<typeof openEnum<NoticeChoice>>>
    >,
  ),
  /** Whether push is enabled at all. */
  notifications: z.boolean(),
  /** Times of day without push, and the IANA time zone they are in. */
  quietHours: z.object({ from: z.string(), to: z.string(), zone: z.string() }).nullable(),
  /** The user's chosen language (BCP 47); `und` before a choice. */
  locale: z.string(),
});
/** The latest three sign-ins from devices new to the account, oldest first. Published from the first one on. */
export const sessionOpened = eventKind('session', 'opened', 960, {
  opened: z.array(
    z.object({
      sessionId: id128,
      /** Browser and system, `Firefox on Linux`. */
      device: z.string(),
      openedAt: timeMs,
    }),
  ),
});
/** All data about the user is erased; the ledger's entries stay under the random id. */
export const userErased = eventKind('user', 'erased', 640, {});

/** The rate factor of the network check (services/contracts/rules/README.md#network-check). */
export const anticheatAssessed = eventKind('anticheat', 'assessed', 832, {
  level: z.number().int().min(0),
  /** x 100: 100 is no penalty. */
  factorHundredths: z.number().int().min(10).max(100),
  isFlagged: z.boolean(),
  usersOnAddress: z.number().int().min(1),
  /** Opaque key of the address where the user counts, for referral holds; null while none counts. */
  addressKey: z.string().nullable(),
  /** This assessment includes the account's first hour of mining at addresses that count: from then on the level decides
   *  on a referrer's 86 CORD (services/contracts/rules/README.md#commission-and-referral-bonuses). */
  hourMined: z.boolean(),
});
