import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@cord/contracts/rules/days';
import { noticeChoice } from '@cord/contracts/rules/notices';
import { awaitAll } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import type { PeriodicWork } from '@cord/kit/periodic';
import { PUSHING } from '../pace.js';
import type { Subscriptions } from '../push/subscriptions.js';
import type { EpochWalks } from './epoch-walks.js';
import { announcementKeyOf, type EpochCopy, epochAtMs, type KnownEpoch } from './epochs.js';
import type { Lookups } from './lookups.js';
import type { People } from './people.js';
import type { NoticeStore } from './store.js';

/** How long after its beginning an epoch is still pushed, ms; later it is shown only in the app. */
const BEGUN_PUSH_MS = DAY_MS;

/** One push about an epoch: its announcement a day ahead, or its beginning. */
interface EpochPush {
  /** Idempotency key: each piece of news is pushed once per user. */
  key: string;
  epoch: KnownEpoch;
  /** Beginning and end of its validity, ms since epoch. */
  sinceMs: number;
  untilMs: number;
}

/**
 * Returns the news to push at a time, the earlier epoch first. An epoch has only its latest state, even after a jump of
 * the clock; an ended epoch has none.
 */
export function epochPushes(table: readonly KnownEpoch[], nowMs: number): EpochPush[] {
  const all = table.map((epoch): EpochPush => {
    const { id, startAt, endAt } = epoch;
    if (nowMs < startAt) return { key: announcementKeyOf(epoch), epoch, sinceMs: epochAtMs(epoch), untilMs: startAt };
    return { key: `${id}:begun`, epoch, sinceMs: startAt, untilMs: Math.min(endAt, startAt + BEGUN_PUSH_MS) };
  });
  const isNow = ({ sinceMs, untilMs }: EpochPush) => sinceMs <= nowMs && nowMs < untilMs;
  return all.filter(isNow).sort((a, b) => a.sinceMs - b.sinceMs);
}

/**
 * Creates the notices of epochs for pushes. In the list an epoch is one row for all users (epochs.ts), so only users with a
 * device get a notice, batch by batch. An interrupted walk resumes with the current batch; a user gets each piece of news once.
 */
export function createEpochPushes(deps: {
  epochs: Pick<EpochCopy, 'all'>;
  walks: EpochWalks;
  notices: Pick<NoticeStore, 'insert' | 'withdraw'>;
  people: People;
  devices: Pick<Subscriptions, 'usersAfter'>;
  lookups: Pick<Lookups, 'choicesOf' | 'joinedAtMs'>;
  clock: Pick<Clock, 'now'>;
  live: Pick<Live, 'sendAll'>;
}): PeriodicWork {
  const { epochs, walks, notices, people, devices, lookups, clock, live } = deps;

  async function next(): Promise<{ news: EpochPush; after: string } | null> {
    for (const news of epochPushes(await epochs.all(), clock.now())) {
      const after = await walks.at(news.key);
      if (after !== null) return { news, after };
    }
    return null;
  }

  async function note(userId: string, { key, epoch, sinceMs, untilMs }: EpochPush): Promise<void> {
    if (noticeChoice(await lookups.choicesOf(userId), 'epoch') !== 'push') return;
    const joinedAtMs = await lookups.joinedAtMs(userId);
    // Users whose list does not show it either (epochs.ts, `epochsShown`).
    if (joinedAtMs === null || joinedAtMs > epochAtMs(epoch)) return;
    const { epochsRead = {} } = (await people.docs.get(userId)) ?? {};
    if ((epochsRead[announcementKeyOf(epoch)] ?? Number.NEGATIVE_INFINITY) >= sinceMs) return;
    await notices.insert({
      _id: randomBytes(16).toString('hex'),
      userId,
      kind: 'epoch',
      subject: key,
      atMs: sinceMs,
      facts: { epochId: epoch.id },
      readAtMs: null,
      pushAtMs: clock.now(),
      expiresAt: new Date(untilMs),
    });
    // An erasure marks first, then deletes: so either this check or its deletion catches a concurrent notice.
    if (await people.isErased(userId)) await notices.withdraw(userId, 'epoch', key);
  }

  return {
    name: 'news of epochs',
    everyMs: PUSHING.work.everyMs,
    leaseMs: PUSHING.work.leaseMs,
    async run({ lease }) {
      for (;;) {
        const due = await next();
        if (due === null || !(await lease())) return;
        const { news, after } = due;
        const users = await devices.usersAfter(after, PUSHING.batch);
        await awaitAll(users.map((userId) => note(userId, news)));
        await walks.advance(news.key, after, users.at(-1) ?? null);
        // Everybody's list has a new or a changed row.
        if (users.length === 0) live.sendAll('notices', { seq: String(clock.now()) });
      }
    },
  };
}
