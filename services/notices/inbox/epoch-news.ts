import type { EpochRow } from '@cord/contracts/events/rewards';
import { DAY_MS } from '@cord/contracts/rules/days';
import { noticeChoice } from '@cord/contracts/rules/notices';
import { allThrough } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { Live } from '@cord/kit/live';
import type { PeriodicWork } from '@cord/kit/periodic';
import { PUSHING } from '../pace.js';
import type { Subscriptions } from '../push/subscriptions.js';
import type { EpochWalks } from './epoch-walks.js';
import { type EpochCopy, epochAtMs } from './epochs.js';
import type { Lookups } from './lookups.js';
import type { People, PersonDoc } from './people.js';

/** How long after its beginning an epoch is still pushed that nobody could push before, ms; then it is shown in the app alone. */
const BEGUN_NEWS_MS = DAY_MS;

/** One push about an epoch: that it begins, a day ahead; and that it has begun. */
export interface EpochNews {
  /** The same thing is pushed once to a user. */
  key: string;
  epoch: EpochRow;
  /** Since when, and from when on no more, ms since epoch. */
  sinceMs: number;
  untilMs: number;
}

/**
 * What is to be pushed at a time, the earlier epoch first. Of one epoch it is its last state alone, whatever a jump of the clock has passed,
 * and nothing of one that is over.
 */
export function epochNews(table: readonly EpochRow[], nowMs: number): EpochNews[] {
  const all = table.map((epoch): EpochNews => {
    const { id, startAt, endAt } = epoch;
    if (nowMs < startAt) return { key: id, epoch, sinceMs: epochAtMs(epoch), untilMs: startAt };
    return { key: `${id}:begun`, epoch, sinceMs: startAt, untilMs: Math.min(endAt, startAt + BEGUN_NEWS_MS) };
  });
  const isNow = ({ sinceMs, untilMs }: EpochNews) => sinceMs <= nowMs && nowMs < untilMs;
  return all.filter(isNow).sort((a, b) => a.sinceMs - b.sinceMs);
}

/** Whether a user has read what the push is about. */
export const isReadBy = ({ epochsRead }: PersonDoc, { epoch, sinceMs }: EpochNews): boolean =>
  (epochsRead?.[epoch.id] ?? Number.NEGATIVE_INFINITY) >= sinceMs;

/**
 * Finds whom to push what of epochs: an epoch begins for all at once and is one row for all, so that the users who have a device are gone through,
 * batch by batch. Who is killed goes on with the batch that was under way, and a user is noted once each (`epochPushes`); push/epochs.ts pushes.
 */
export function createEpochNews(deps: {
  epochs: Pick<EpochCopy, 'all'>;
  walks: EpochWalks;
  people: People;
  devices: Pick<Subscriptions, 'usersAfter'>;
  lookups: Pick<Lookups, 'choicesOf' | 'joinedAtMs'>;
  clock: Pick<Clock, 'now'>;
  live: Pick<Live, 'sendAll'>;
}): PeriodicWork {
  const { epochs, walks, people, devices, lookups, clock, live } = deps;

  async function next(): Promise<{ news: EpochNews; newsKeys: ReadonlySet<string>; after: string } | null> {
    const all = epochNews(await epochs.all(), clock.now());
    const newsKeys = new Set(all.map(({ key }) => key));
    for (const news of all) {
      const after = await walks.at(news.key);
      if (after !== null) return { news, newsKeys, after };
    }
    return null;
  }

  async function note(userId: string, { key, epoch }: EpochNews, newsKeys: ReadonlySet<string>): Promise<void> {
    if (noticeChoice(await lookups.choicesOf(userId), 'epoch') !== 'push') return;
    const joinedAtMs = await lookups.joinedAtMs(userId);
    // Users whose list does not show it either (epochs.ts, `epochsShown`).
    if (joinedAtMs === null || joinedAtMs > epochAtMs(epoch)) return;
    const atMs = clock.now();
    await people.docs.change(userId, (person) => {
      const noted = person.epochPushes ?? {};
      if (person.erased || noted[key] !== undefined) return { doc: null, result: undefined };
      // What is no news any more is not walked for again, either.
      const still = Object.fromEntries(Object.entries(noted).filter(([each]) => newsKeys.has(each)));
      return { doc: withPushes(person, { ...still, [key]: { atMs, tries: 0, to: [] } }), result: undefined };
    });
  }

  return {
    name: 'news of epochs',
    everyMs: PUSHING.work.everyMs,
    leaseMs: PUSHING.work.leaseMs,
    async run({ lease }) {
      for (;;) {
        const due = await next();
        if (due === null || !(await lease())) return;
        const { news, newsKeys, after } = due;
        const users = await devices.usersAfter(after, PUSHING.batch);
        await allThrough(users.map((userId) => note(userId, news, newsKeys)));
        await walks.goOn(news.key, after, users.at(-1) ?? null);
        // Everybody's list has one more, or a changed one.
        if (users.length === 0) live.sendAll('notices', { seq: String(clock.now()) });
      }
    },
  };
}

/** A user with these pushes, and the hour of the first that is left. */
export function withPushes(person: PersonDoc, epochPushes: NonNullable<PersonDoc['epochPushes']>): PersonDoc {
  const { epochPushAtMs: _before, ...rest } = person;
  const left = Object.values(epochPushes).flatMap((push) => (push === null ? [] : push.atMs));
  return { ...rest, epochPushes, ...(left.length > 0 ? { epochPushAtMs: Math.min(...left) } : {}) };
}
