import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@cord/contracts/rules/days';
import { NOTICES_KEPT_MAX, NOTICES_KEPT_MS, type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import type { Content } from './notice.js';
import type { People } from './people.js';
import type { NoticeStore } from './store.js';

/** What is older, when its event arrives or when it is pushed, is shown in the app alone, ms. */
export const PUSH_AGE_MS_MAX = DAY_MS;

/** What a notice is made of, beside the user. */
type News = Content & {
  /** With user and kind its key: the same thing makes one notice. */
  subject: string;
  /** When it happened, ms since epoch. */
  atMs: number;
  /** From when on it is obsolete, where that is before it grows old. */
  untilMs?: number;
};

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: {
  notices: NoticeStore;
  people: People;
  clock: Pick<Clock, 'now'>;
  live: Pick<Live, 'send'>;
  /** What a user has chosen for each kind. */
  choicesOf(userId: string): Promise<Readonly<Record<string, string | undefined>>>;
}) {
  const { notices, people, clock, live, choicesOf } = deps;
  const sendHint = (userId: string) => live.send('notices', userId, { seq: String(clock.now()) });

  return {
    /**
     * Makes a notice, once each: again, too late, switched off or of a user who is gone it makes none.
     * @param whenOff runs where it is switched off
     * @throws Problem 503 while the user's choices cannot be read
     */
    async notify(
      userId: string,
      { kind, subject, atMs, untilMs = Number.POSITIVE_INFINITY, facts }: News,
      whenOff: () => void = () => undefined,
    ) {
      const expiresMs = Math.min(untilMs, atMs + NOTICES_KEPT_MS);
      if (expiresMs <= clock.now()) return;
      const choice = noticeChoice(await choicesOf(userId), kind);
      if (choice === 'off') return whenOff();
      const edge = await notices.atOf(userId, NOTICES_KEPT_MAX);
      if (edge !== null && atMs <= edge) return;
      const expiresAt = new Date(expiresMs);
      const made = await notices.insert({
        _id: randomBytes(16).toString('hex'),
        userId,
        kind,
        subject,
        atMs,
        facts: { ...facts },
        readAtMs: null,
        // In the same write: what is made is pushed, whatever ends in between.
        ...(choice === 'push' && clock.now() - atMs < PUSH_AGE_MS_MAX ? { pushAtMs: clock.now() } : {}),
        expiresAt,
      });
      // An erasure marks first and deletes then: one of the two sees the other. Also what was made before: who made it may have died here.
      if (await isOfNobody(userId, facts)) {
        await notices.withdraw(userId, kind, subject);
        return;
      }
      if (!made) return;
      if (edge !== null) await notices.dropUpTo(userId, edge);
      sendHint(userId);
    },
    /** Withdraws what is obsolete. */
    async withdraw(userId: string, kind: NoticeKind, subject: string) {
      if (await notices.withdraw(userId, kind, subject)) sendHint(userId);
    },
  };

  async function isOfNobody(userId: string, facts: object): Promise<boolean> {
    const { friendId } = facts as { friendId?: string };
    return (await people.isErased(userId)) || (friendId !== undefined && (await people.isErased(friendId)));
  }
}
