import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@cord/contracts/rules/days';
import { NOTICES_KEPT_MAX, NOTICES_KEPT_MS, type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import type { Content } from './notice.js';
import type { People } from './people.js';
import type { NoticeStore } from './store.js';

/** Maximum age of a pushed notice, ms; an older one is shown only in the app. */
export const PUSH_AGE_MS_MAX = DAY_MS;

/** The content of a notice, without its user. */
type NoticeDraft = Content & {
  /** Part of the key with user and kind: one subject gives one notice. */
  subject: string;
  /** Time of the event, ms since epoch. */
  atMs: number;
  /** When it becomes obsolete, if before its maximum age, ms since epoch. */
  untilMs?: number;
};

export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: {
  notices: NoticeStore;
  people: People;
  clock: Pick<Clock, 'now'>;
  live: Pick<Live, 'send'>;
  /** Returns the user's choice for each kind. */
  choicesOf(userId: string): Promise<Readonly<Record<string, string | undefined>>>;
}) {
  const { notices, people, clock, live, choicesOf } = deps;
  const sendHint = (userId: string) => live.send('notices', userId, { seq: String(clock.now()) });

  return {
    /**
     * Creates a notice once. Repeated, expired, switched off, or of an erased user, it creates none.
     * @param whenOff called when the kind is switched off
     * @throws Problem 503 while the user's choices cannot be read
     */
    async notify(
      userId: string,
      { kind, subject, atMs, untilMs = Number.POSITIVE_INFINITY, facts }: NoticeDraft,
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
        // In the same write, so that a crash in between does not lose the push.
        ...(choice === 'push' && clock.now() - atMs < PUSH_AGE_MS_MAX ? { pushAtMs: clock.now() } : {}),
        expiresAt,
      });
      // An erasure marks first, then deletes: this check or its deletion catches the notice. Also an existing one: its creator may have crashed here.
      if (await isOfNobody(userId, facts)) {
        await notices.withdraw(userId, kind, subject);
        return;
      }
      if (!made) return;
      if (edge !== null) await notices.dropUpTo(userId, edge);
      sendHint(userId);
    },
    /** Removes an obsolete notice. */
    async withdraw(userId: string, kind: NoticeKind, subject: string) {
      if (await notices.withdraw(userId, kind, subject)) sendHint(userId);
    },
  };

  async function isOfNobody(userId: string, facts: object): Promise<boolean> {
    const { friendId } = facts as { friendId?: string };
    return (await people.isErased(userId)) || (friendId !== undefined && (await people.isErased(friendId)));
  }
}
