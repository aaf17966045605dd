import { NOTICE_KINDS, type NoticeKind } from '@cord/contracts/rules/notices';
import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import type { Lookups } from '../inbox/lookups.js';
import type { NoticeDoc } from '../inbox/notice.js';
import { noticeText, type Reader } from '../inbox/notice-text.js';
import { TABS } from '../inbox/reading.js';
import type { NoticeStore } from '../inbox/store.js';
import { PUSHING } from '../pace.js';
import type { Delivery } from './deliver.js';

/**
 * Pushes the notices that are to be pushed. At least once: a notice keeps that it is to be pushed from the write that makes it until its
 * push services have answered. Who is killed in between pushes again, and the device puts the second in the place of the first (`about`).
 */
export function createNoticePushes(deps: {
  notices: NoticeStore;
  delivery: Delivery;
  lookups: Pick<Lookups, 'nameOf' | 'book'>;
  clock: Pick<Clock, 'now'>;
}): PeriodicWork {
  const { notices, delivery, lookups, clock } = deps;

  const due: Due<NoticeDoc> = {
    read: (limit, takes) => notices.duePushes(clock.now(), limit, takes),
    each: push,
  };

  async function push(notice: NoticeDoc): Promise<void> {
    const { _id, userId, kind, subject, atMs, expiresAt, readAtMs, pushTries = 0, pushedTo = [] } = notice;
    const known = NOTICE_KINDS.find((one) => one === kind);
    // What was read needs no push.
    const next =
      readAtMs !== null || !known
        ? null
        : await delivery.deliver(userId, pushOf(known), { to: pushedTo, tries: pushTries });
    await notices.pushed(_id, next);

    function pushOf(of: NoticeKind) {
      return {
        kind: of,
        untilMs: expiresAt.getTime(),
        message: async (reader: Reader) => {
          const { title, text } = await noticeText(notice, reader, lookups);
          return { title, text, tab: TABS[kind] ?? '', about: aboutOf(kind, subject), atMs };
        },
      };
    }
  }

  return { name: 'pushes', ...PUSHING.work, run: (turn) => inBatches(turn, PUSHING.batch, () => due) };
}

/** A node's session has one place on a device: that it has paused replaces the warning. */
export const aboutOf = (kind: string, subject: string): string => `${kind}.${subject}`;
