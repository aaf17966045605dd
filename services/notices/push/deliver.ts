import { createHash } from 'node:crypto';
import { NEVER_QUIET, type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import { Problem } from '@cord/kit/problem';
import type { Lookups } from '../inbox/lookups.js';
import type { Reader } from '../inbox/notice-text.js';
import { PUSH_WAIT_MS_MAX } from '../pace.js';
import { isQuiet } from './quiet.js';
import type { Outcome, Sender } from './sender.js';
import type { Sessions } from './sessions.js';
import type { SubscriptionDoc, Subscriptions } from './subscriptions.js';

/** What the service worker of a browser shows (shell/public/sw.js). */
interface Message {
  title: string;
  text: string;
  /** Where a press leads. */
  tab: string;
  /** What it is about: a later one takes the place of one that still stands on the device. */
  about: string;
  /** When it happened, ms since epoch. */
  atMs: number;
  /** Shown also while the app is in sight. */
  always?: true;
  /** The press that gives a node more time, and the text then. */
  extend?: {
    path: string;
    press: string;
    open: string;
    again: string;
    done: { title: string; text: string };
    failed: { title: string; text: string };
  };
}

/** One thing to push. */
export interface Push {
  kind: NoticeKind;
  /** From then on it is obsolete, ms since epoch. */
  untilMs: number;
  message(reader: Reader): Promise<Message>;
}

/** How far a push has come: devices that have it, and when it is tried again for the others; null when there is no more to do. */
type Progress = { to: readonly string[]; tries: number; atMs: number } | null;

export type Delivery = ReturnType<typeof createDelivery>;

/** A push service is tried again after so long, ms, then given up: the notice stands in the app. */
const AGAIN_MS = [30_000, 120_000, 600_000, PUSH_WAIT_MS_MAX];
/** No push service keeps one for longer: the app has it, s. */
const TTL_S_MAX = 86_400;

export function createDelivery(deps: {
  subscriptions: Subscriptions;
  sender: Sender;
  lookups: Pick<Lookups, 'settingsOf'>;
  clock: Pick<Clock, 'now'>;
  sessions: Sessions;
  onSent(outcome: Outcome['is']): void;
}) {
  const { subscriptions, sender, lookups, clock, sessions, onSent } = deps;

  async function send(device: SubscriptionDoc, { untilMs, message }: Omit<Push, 'kind'>, locale: string | null) {
    if (!device.session) return { is: 'gone' } as const;
    const holds = await sessions.holds(device.userId, device.session).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    if (holds === null) return { is: 'later', waitMs: 0 } as const;
    // Signed out, revoked, expired, or another user signed in at that browser; the page of a new sign-in puts its own in the place.
    if (!holds) return { is: 'gone' } as const;
    const keys = await subscriptions.open(device);
    if (keys === null) return gone(device);
    const nowMs = clock.now();
    const made = await message({ nowMs, zone: device.zone, language: locale ?? device.locale });
    const outcome = await sender.send(keys, {
      text: JSON.stringify(made),
      ttlS: Math.max(0, Math.min(TTL_S_MAX, Math.floor((untilMs - nowMs) / 1_000))),
      topic: createHash('sha256').update(made.about).digest('base64url').slice(0, 32),
      urgency: made.extend ? 'high' : 'normal',
    });
    onSent(outcome.is);
    if (outcome.is === 'gone') return gone(device);
    if (outcome.is === 'sent') await subscriptions.sent(device._id, clock.now());
    return outcome;
  }

  async function gone(device: SubscriptionDoc): Promise<Outcome> {
    await subscriptions.remove(device.userId, device._id);
    return { is: 'gone' };
  }

  return {
    /** Pushes to the devices that do not have it yet, as far as the user wants that now. @throws Problem 503 while that cannot be read */
    async deliver(userId: string, push: Push, before: { to: readonly string[]; tries: number }): Promise<Progress> {
      const { choices, notifications, quietHours, locale } = await lookups.settingsOf(userId);
      if (!notifications || noticeChoice(choices, push.kind) !== 'push' || push.untilMs <= clock.now()) return null;
      if (!NEVER_QUIET.includes(push.kind) && isQuiet(quietHours, clock.now())) return null;
      const open = (await subscriptions.ofUser(userId)).filter(({ _id }) => !before.to.includes(_id));
      const outcomes = await Promise.all(
        open.map(async (device) => ({ device, outcome: await send(device, push, locale) })),
      );
      const waits = outcomes.flatMap(({ outcome }) => (outcome.is === 'later' ? [outcome.waitMs] : []));
      const againMs = AGAIN_MS[before.tries];
      if (waits.length === 0 || againMs === undefined) return null;
      const have = outcomes.filter(({ outcome }) => outcome.is !== 'later').map(({ device }) => device._id);
      const atMs = clock.now() + Math.max(againMs, ...waits);
      return { to: [...before.to, ...have], tries: before.tries + 1, atMs };
    },
    /** Pushes to one device, whatever was chosen. @returns null for one that is not there */
    async deliverTo(userId: string, id: string, push: Omit<Push, 'kind'>): Promise<Outcome | null> {
      const device = (await subscriptions.ofUser(userId)).find(({ _id }) => _id === id);
      if (!device) return null;
      return send(device, push, (await lookups.settingsOf(userId)).locale);
    },
  };
}
