import { NOTICE_KINDS, type NoticeKind } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork, Turn } from '@cord/kit/periodic';
import type { Lookups } from '../inbox/lookups.js';
import type { NoticeDoc } from '../inbox/notice.js';
import { TABS } from '../inbox/reading.js';
import type { NoticeStore } from '../inbox/store.js';
import { type Reader, wordsOf } from '../inbox/words.js';
import type { Delivery } from './deliver.js';
import { PUSHING } from './pace.js';

/**
 * Pushes the notices that are to be pushed. At least once: a notice keeps that it is to be pushed from the write that makes it until its
 * push services have answered. Who is killed in between pushes again, and the device puts the second in the place of the first (`about`).
 */
export function createNoticePushes(deps: {
  notices: NoticeStore;
  delivery: Delivery;
  lookups: Pick<Lookups, 'nameOf'>;
  clock: Pick<Clock, 'now'>;
}): PeriodicWork {
  const { notices, delivery, lookups, clock } = deps;

  async function sweep({ mine }: Pick<Turn, 'mine'>): Promise<void> {
    for (;;) {
      if ((await notices.duePushes(clock.now(), 1, () => true)).length === 0) return;
      const own = await mine();
      if (!own) return;
      const batch = await notices.duePushes(clock.now(), PUSHING.batch, own);
      const done = await Promise.allSettled(batch.map(push));
      const failed = done.find((one) => one.status === 'rejected');
      // The rest comes with the next run.
      if (failed) throw failed.reason;
      if (batch.length < PUSHING.batch) return;
    }
  }

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
          const { title, text } = await wordsOf(notice, reader, lookups.nameOf);
          return { title, text, tab: TABS[kind] ?? '', about: aboutOf(kind, subject), atMs };
        },
      };
    }
  }

  return { name: 'pushes', ...PUSHING.work, run: sweep };
}

/** A node's session has one place on a device: that it has paused takes the place of the word before. */
export const aboutOf = (kind: string, subject: string): string => `${kind}.${subject}`;
