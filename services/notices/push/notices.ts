import { NOTICE_KINDS } from '@cord/contracts/rules/notices';
import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import { epochPushes } from '../inbox/epoch-pushes.js';
import { type EpochCopy, textOfEpoch } from '../inbox/epochs.js';
import { PUSH_AGE_MS_MAX } from '../inbox/inbox.js';
import type { Lookups } from '../inbox/lookups.js';
import type { NoticeDoc } from '../inbox/notice.js';
import { noticeText } from '../inbox/notice-text.js';
import { TABS } from '../inbox/reading.js';
import type { NoticeStore } from '../inbox/store.js';
import { PUSHING } from '../pace.js';
import type { Delivery, Push } from './deliver.js';

/**
 * Pushes due notices, at least once. A notice is marked as due from its creation until its push services have responded.
 * After a crash in between it is pushed again, and the device replaces the first push by the second (`about`).
 */
export function createNoticePushes(deps: {
  notices: NoticeStore;
  delivery: Delivery;
  epochs: Pick<EpochCopy, 'all'>;
  lookups: Pick<Lookups, 'nameOf' | 'book' | 'running'>;
  clock: Pick<Clock, 'now'>;
}): PeriodicWork {
  const { notices, epochs, delivery, lookups, clock } = deps;

  const due: Due<NoticeDoc> = {
    read: (limit, takes) => notices.duePushes(clock.now(), limit, takes),
    each: push,
  };

  async function push(notice: NoticeDoc): Promise<void> {
    const { _id, userId, readAtMs, pushTries = 0, pushedTo = [] } = notice;
    // A read notice needs no push.
    const due = readAtMs === null ? await pushOf(notice) : null;
    const next = due && (await delivery.deliver(userId, due, { to: pushedTo, tries: pushTries }));
    await notices.pushed(_id, next);
  }

  /** Returns null for an obsolete notice, or a kind of a newer release. */
  async function pushOf(notice: NoticeDoc): Promise<Push | null> {
    if (notice.kind === 'epoch') return pushOfEpoch(notice);
    const { subject, atMs, expiresAt } = notice;
    const kind = NOTICE_KINDS.find((one) => one === notice.kind);
    if (!kind || atMs + PUSH_AGE_MS_MAX <= clock.now()) return null;
    return {
      kind,
      untilMs: expiresAt.getTime(),
      message: async (reader) => {
        const { title, text } = await noticeText(notice, reader, lookups);
        return { title, text, tab: TABS[kind], about: aboutOf(kind, subject), atMs };
      },
    };
  }

  /** Uses the current table of epochs: news that has changed meanwhile has a notice of its own. */
  async function pushOfEpoch({ userId, subject }: NoticeDoc): Promise<Push | null> {
    const table = await epochs.all();
    const news = epochPushes(table, clock.now()).find(({ key }) => key === subject);
    if (!news) return null;
    const { epoch, sinceMs, untilMs } = news;
    return {
      kind: 'epoch',
      untilMs,
      message: async (reader) => ({
        ...(await textOfEpoch(epoch, { userId, table, reader, lookups })),
        tab: TABS.epoch,
        // The beginning replaces the announcement.
        about: aboutOf('epoch', epoch.id),
        atMs: sinceMs,
      }),
    };
  }

  return { name: 'pushes', ...PUSHING.work, run: (turn) => inBatches(turn, PUSHING.batch, () => due) };
}

/** Identifies a push on a device: the pause of a session replaces its warning. */
export const aboutOf = (kind: string, subject: string): string => `${kind}.${subject}`;
