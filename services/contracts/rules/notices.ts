import { DAY_MS } from './days.js';

/** Kinds of notices. A newer release may add some. */
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
/** Kinds always shown in the app: they have no setting, and are never pushed. */
export const FIXED_NOTICE_KINDS = ['rules'] as const;

/** Destination of a kind: none, the app, or the app and the user's devices. */
export const NOTICE_CHOICES = ['off', 'app', 'push'] as const;
export type NoticeChoice = (typeof NOTICE_CHOICES)[number];

/** How long a notice is kept, ms. */
export const NOTICES_KEPT_MS = 30 * DAY_MS;
/** Maximum notices kept per user; the oldest are deleted first. */
export const NOTICES_KEPT_MAX = 200;

/** How long before the end of the UTC day the notice of an open streak is sent, ms. */
export const STREAK_NOTICE_MS = 2 * 3_600_000;
/** How long before a node pauses its owner is warned by push, ms. */
export const PAUSE_WARNING_MS = 3_600_000;
/** How long before an epoch starts its notice is sent, ms. */
export const EPOCH_NOTICE_MS = DAY_MS;

/** Number of all-time ranks compared from day to day. */
export const RANKS_CLOSED = 1_000;

/**
 * Whether a change of rank between two closings is worth a notice: any change within the first forty, further down at
 * least a twentieth of the better rank, because places there shift by themselves.
 */
export function isNotableRankChange(before: number, after: number): boolean {
  return Math.abs(before - after) >= Math.max(1, Math.floor(Math.min(before, after) / 20));
}

/** The choice for a kind without a setting. */
const NOTICE_DEFAULT: NoticeChoice = 'app';

/** Kinds pushed even in quiet hours: a pausing node cannot wait. */
export const NEVER_QUIET: readonly NoticeKind[] = ['node-paused'];

/** Times of day without push, `23:00` to `07:00`, in an IANA time zone. */
export interface QuietHours {
  from: string;
  to: string;
  zone: string;
}

/** Maximum push devices per user; the oldest is removed. */
export const PUSH_DEVICES_MAX = 5;

/** Returns the user's choice for a kind; a choice that only a newer release knows counts as `app`. */
export function noticeChoice(chosen: Readonly<Record<string, string | undefined>>, kind: NoticeKind): NoticeChoice {
  const choice = chosen[kind];
  return NOTICE_CHOICES.find((known) => known === choice) ?? NOTICE_DEFAULT;
}
