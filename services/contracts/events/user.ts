import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { NOTICE_CHOICES, NOTICE_KINDS, type NoticeChoice, type NoticeKind } from '../rules/notices.js';
import { eventKind, openEnum, timeMs } from './envelope.js';

const profileShape = {
  username: z.string(),
  avatar: z.string().nullable(),
  /** Creation of the Discord account, ms: tier and age derive from it. Never the Discord id itself. */
  discordCreatedAt: timeMs,
  joinedAt: timeMs,
  lastLoginAt: timeMs,
  /** Returned after an erasure: one-time rewards do not come again (services/README.md#erasure). */
  returning: z.boolean(),
};

/** First sign-in. A referral code that was carried through sign-in stands here until referrals has it. */
export const userRegistered = eventKind('user', 'registered', 1_024, {
  ...profileShape,
  referralCode: z.string().nullable(),
  /** What the welcome credit is, micro-CORD as text; the newcomer's bonus is a tenth of it. */
  welcomeMicro: z.string(),
});
/** Name, picture or last sign-in changed. */
export const userUpdated = eventKind('user', 'updated', 1_024, profileShape);
/** What the user has chosen in Settings that others follow, as it is. Published from the first choice on. */
export const userSettings = eventKind('user', 'settings', 1_088, {
  /** Where each kind of notice goes: `off`, `app` or `push`; a kind that is not in it as by default. */
  notices: z.object(
    Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, openEnum(NOTICE_CHOICES).optional()])) as Record<
      NoticeKind,
      z.ZodOptional<ReturnType<typeof openEnum<NoticeChoice>>>
    >,
  ),
  /** Whether anything is pushed at all. */
  notifications: z.boolean(),
  /** When nothing is pushed: times of day, and the IANA name of whose. */
  quietHours: z.object({ from: z.string(), to: z.string(), zone: z.string() }).nullable(),
  /** The language that the user has chosen (BCP 47); `und` while none is. */
  locale: z.string(),
});
/** The sign-ins from a device that was new to the account, the latest three, oldest first. Present from the first such one on. */
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
/** Everything about the user goes; the ledger's entries stay under the random id. */
export const userErased = eventKind('user', 'erased', 640, {});

/** The rate factor that the network check gives (services/contracts/rules/README.md#network-check). */
export const anticheatAssessed = eventKind('anticheat', 'assessed', 832, {
  level: z.number().int().min(0),
  /** x 100: 100 is no penalty. */
  factorHundredths: z.number().int().min(10).max(100),
  isFlagged: z.boolean(),
  usersOnAddress: z.number().int().min(1),
  /** Opaque key of the address the user counts at, for referral holds; null while none counts. */
  addressKey: z.string().nullable(),
  /** The account has mined an hour at addresses that count, and this assessment takes it into account: from then on the level decides
   *  on a referrer's 86 CORD (services/contracts/rules/README.md#commission-and-referral-bonuses). */
  hourMined: z.boolean(),
});
