import type { Notice } from '@cord/contracts/http/notices';
import { type FIXED_NOTICE_KINDS, type NoticeKind, noticeChoice } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import { pageOf } from '@cord/kit/page';
import { announcementKeyOf, type EpochCopy, epochAtMs, epochsShown, rulesShown, textOfEpoch } from './epochs.js';
import type { Lookups } from './lookups.js';
import { type NoticeDoc, newestFirst, PLACE, type Place } from './notice.js';
import { type NoticeText, noticeText, type Reader, rulesNotice } from './notice-text.js';
import type { People, PersonDoc } from './people.js';
import type { NoticeStore, OwnReading } from './store.js';

interface Page {
  notices: Notice[];
  unread: number;
  nextCursor: string | null;
}

/** The language and sign-in of the reader. */
interface ReadBy {
  zone?: string | undefined;
  language?: string | undefined;
  sessionId?: string | undefined;
}

/** Reads the inbox and marks notices as read. */
export type Reading = ReturnType<typeof createReading>;

/** A notice in the list, before its text is built. */
interface Listed extends Place {
  kind: string;
  readAtMs: number | null;
  tab: string;
  text(reader: Reader): Promise<NoticeText> | NoticeText;
}

/** A notice shared by all users; its read mark is in the user's own record. */
interface Shared extends Listed {
  mark: { in: 'epochsRead' | 'rulesRead'; key: string };
}

/** The tab with more about each kind. */
export const TABS: Readonly<Record<NoticeKind | (typeof FIXED_NOTICE_KINDS)[number], string>> = {
  'node-paused': 'node',
  'streak-closing': 'tasks',
  'friend-joined': 'referrals',
  commission: 'referrals',
  payment: 'dashboard',
  'support-answered': 'settings',
  epoch: 'node',
  rules: 'settings',
  rank: 'leaderboard',
  security: 'settings',
};

export function createReading(deps: {
  notices: NoticeStore;
  people: People;
  epochs: EpochCopy;
  lookups: Lookups;
  clock: Pick<Clock, 'now'>;
  live: Pick<Live, 'send'>;
}) {
  const { notices, people, epochs, lookups, clock, live } = deps;

  return {
    async page(
      userId: string,
      { limit, cursor, zone, language, sessionId }: ReadBy & { limit: number; cursor?: string | undefined },
    ): Promise<Page> {
      const reader: Reader = { nowMs: clock.now(), zone, language };
      const reading: OwnReading = { userId, nowMs: reader.nowMs, sessionId };
      const after = PLACE.read(cursor);
      const [own, ofAll, unreadOwn] = await Promise.all([
        notices.list(reading, { after, limit: limit + 1 }),
        sharedOf(userId, reader.nowMs),
        notices.unread(reading),
      ]);
      const behind = after ? ofAll.filter((one) => newestFirst(after, one) < 0) : ofAll;
      const { shown, nextCursor } = pageOf([...own.map(listed), ...behind].sort(newestFirst), limit, PLACE.of);
      return {
        notices: await Promise.all(shown.map((one) => shownOf(one, reader))),
        unread: unreadOwn + ofAll.filter(({ readAtMs }) => readAtMs === null).length,
        nextCursor,
      };
    },
    /** Marks everything up to a time as read. @returns the number of unread notices */
    async read(userId: string, upToMs: number, by: Pick<ReadBy, 'sessionId'> = {}) {
      const nowMs = clock.now();
      const reading: OwnReading = { userId, nowMs, sessionId: by.sessionId };
      await notices.markRead(reading, upToMs);
      const open = (await sharedOf(userId, nowMs)).filter(({ readAtMs, atMs }) => readAtMs === null && atMs <= upToMs);
      if (open.length > 0) await readShared(userId, open, nowMs);
      live.send('notices', userId, { seq: String(nowMs) });
      const [own, ofAll] = await Promise.all([notices.unread(reading), sharedOf(userId, nowMs)]);
      return own + ofAll.filter(({ readAtMs }) => readAtMs === null).length;
    },
  };

  /** Returns the shared notices, epochs and rule changes, as the user sees them. */
  async function sharedOf(userId: string, nowMs: number): Promise<Shared[]> {
    const { epochs: table, books } = await epochs.table();
    // No lookups while there is nothing to show.
    if (epochsShown(table, 0, nowMs).length + rulesShown(books, 0, nowMs).length === 0) return [];
    const [joinedAtMs, choices, person] = await Promise.all([
      lookups.joinedAtMs(userId),
      lookups.choicesOf(userId),
      people.docs.get(userId),
    ]);
    if (joinedAtMs === null) return [];
    const wanted = noticeChoice(choices, 'epoch') === 'off' ? [] : epochsShown(table, joinedAtMs, nowMs);
    const shownEpochs = wanted.map((epoch): Shared => {
      const key = announcementKeyOf(epoch);
      return {
        ...{ id: `epoch-${epoch.id}`, kind: 'epoch', tab: TABS.epoch, atMs: epochAtMs(epoch) },
        readAtMs: person?.epochsRead?.[key] ?? null,
        mark: { in: 'epochsRead', key },
        text: (reader) => textOfEpoch(epoch, { userId, table, reader, lookups }),
      };
    });
    const shownRules = rulesShown(books, joinedAtMs, nowMs).map(
      ({ version, fromMs, announcedAtMs }): Shared => ({
        ...{ id: `rules-${version}`, kind: 'rules', tab: TABS.rules, atMs: announcedAtMs },
        readAtMs: person?.rulesRead?.[version] ?? null,
        mark: { in: 'rulesRead', key: String(version) },
        text: (reader) => rulesNotice(fromMs, reader),
      }),
    );
    return [...shownEpochs, ...shownRules];
  }

  async function readShared(userId: string, read: readonly Shared[], nowMs: number): Promise<void> {
    const { epochs: table, books } = await epochs.table();
    const still = { epochsRead: table.map(announcementKeyOf), rulesRead: books.map(({ version }) => String(version)) };
    await people.docs.update(userId, (person: PersonDoc) => {
      if (person.erased) return null;
      const marksIn = (list: Shared['mark']['in']) => ({
        ...Object.fromEntries(read.filter(({ mark }) => mark.in === list).map(({ mark }) => [mark.key, nowMs])),
        ...Object.fromEntries(Object.entries(person[list] ?? {}).filter(([key]) => still[list].includes(key))),
      });
      return { ...person, epochsRead: marksIn('epochsRead'), rulesRead: marksIn('rulesRead') };
    });
  }

  function listed({ _id, atMs, kind, readAtMs, facts }: NoticeDoc): Listed {
    const text = (reader: Reader) => noticeText({ kind, facts, atMs }, reader, lookups);
    return { id: _id, atMs, kind, readAtMs, tab: TABS[kind as NoticeKind], text };
  }
}

async function shownOf({ id, kind, atMs, readAtMs, tab, text }: Listed, reader: Reader): Promise<Notice> {
  return {
    id,
    kind,
    at: new Date(atMs).toISOString(),
    ...(await text(reader)),
    tab,
    readAt: readAtMs === null ? null : new Date(readAtMs).toISOString(),
  };
}
