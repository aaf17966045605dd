import { DAY_MS } from './days.js';

/** Kinds of notices. A newer release may add to them. */
export const NOTICE_KINDS = [
  'node-paused',
  'streak-closing',
  'friend-joined',
  'commission',
  'payment',
  'support-answered',
  'epoch',
  'rank',
  'security',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
/** Kinds that everybody sees in the app: nobody chooses about them, and none is pushed. */
export const FIXED_NOTICE_KINDS = ['rules'] as const;

/** Where a kind goes: nowhere, in the app, or in the app and to the user's devices. */
export const NOTICE_CHOICES = ['off', 'app', 'push'] as const;
export type NoticeChoice = (typeof NOTICE_CHOICES)[number];

/** How long a notice is kept, ms. */
export const NOTICES_KEPT_MS = 30 * DAY_MS;
/** Notices that are kept of one user; the oldest go. */
export const NOTICES_KEPT_MAX = 200;

/** How long before the end of the UTC day an open streak is noticed, ms. */
export const STREAK_NOTICE_MS = 2 * 3_600_000;
/** How long before it pauses the owner of a node is warned by push, ms. */
export const PAUSE_WARNING_MS = 3_600_000;
/** How long before it begins an epoch is noticed, ms. */
export const EPOCH_NOTICE_MS = DAY_MS;

/** How many of the ranking of all time are compared from day to day. */
export const RANKS_CLOSED = 1_000;

/**
 * Whether a change of rank from one day's end to another's is worth a notice: each place among the first forty, and farther
 * down a twentieth of the better of both, for there places change by themselves.
 */
export function isRankNews(before: number, after: number): boolean {
  return Math.abs(before - after) >= Math.max(1, Math.floor(Math.min(before, after) / 20));
}

/** What holds for a kind that the user has not chosen anything for. */
const NOTICE_DEFAULT: NoticeChoice = 'app';

/** Kinds that are pushed in quiet hours, too: a node that pauses does not wait. */
export const NEVER_QUIET: readonly NoticeKind[] = ['node-paused'];

/** Times of day between which nothing is pushed, `23:00` to `07:00`, in a time zone by its IANA name. */
export interface QuietHours {
  from: string;
  to: string;
  zone: string;
}

/** Devices of one user that are pushed to; the oldest goes. */
export const PUSH_DEVICES_MAX = 5;

/** The user's choice for a kind; one that only a newer release has counts as chosen for the app. */
export function noticeChoice(chosen: Readonly<Record<string, string | undefined>>, kind: NoticeKind): NoticeChoice {
  const choice = chosen[kind];
  return NOTICE_CHOICES.find((known) => known === choice) ?? NOTICE_DEFAULT;
}
