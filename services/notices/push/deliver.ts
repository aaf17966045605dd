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

/** The message to a browser's service worker (shell/public/sw.js). */
interface Message {
  title: string;
  text: string;
  /** The tab that a click opens. */
  tab: string;
  /** A later push with the same value replaces the one on the device. */
  about: string;
  /** Time of the event, ms since epoch. */
  atMs: number;
  /** Shown even while the app is visible. */
  always?: true;
  /** The button that extends a node's lease, and the texts after it. */
  extend?: {
    path: string;
    press: string;
    open: string;
    again: string;
    done: { title: string; text: string };
    failed: { title: string; text: string };
  };
}

/** One push. */
export interface Push {
  kind: NoticeKind;
  /** When it becomes obsolete, ms since epoch. */
  untilMs: number;
  message(reader: Reader): Promise<Message>;
}

/** Progress of a push: devices that have received it, and when it is retried for the others; null when it is complete. */
type Progress = { to: readonly string[]; tries: number; atMs: number } | null;

export type Delivery = ReturnType<typeof createDelivery>;

/** Delays before a failed push is retried, ms; after the last it is given up, and the notice is only in the app. */
const AGAIN_MS = [30_000, 120_000, 600_000, PUSH_WAIT_MS_MAX];
/** Maximum time for which a push service stores one, s: later it is only in the app. */
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
    // Signed out, revoked, expired, or another user has signed in at that browser. The page of a new sign-in replaces the subscription.
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
    /** Pushes to the devices that have not received it, if the user's settings allow it now. @throws Problem 503 while they cannot be read */
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
    /** Pushes to one device, whatever the settings. @returns null for an unknown one */
    async deliverTo(userId: string, id: string, push: Omit<Push, 'kind'>): Promise<Outcome | null> {
      const device = (await subscriptions.ofUser(userId)).find(({ _id }) => _id === id);
      if (!device) return null;
      return send(device, push, (await lookups.settingsOf(userId)).locale);
    },
  };
}
