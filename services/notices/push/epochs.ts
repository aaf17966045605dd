import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import { type EpochNews, epochNews, isReadBy, withPushes } from '../inbox/epoch-news.js';
import { type EpochCopy, textOfEpoch } from '../inbox/epochs.js';
import type { Lookups } from '../inbox/lookups.js';
import type { EpochPush, People, PersonDoc } from '../inbox/people.js';
import { TABS } from '../inbox/reading.js';
import { PUSHING } from '../pace.js';
import type { Delivery } from './deliver.js';
import { aboutOf } from './notices.js';

/**
 * Pushes what of epochs was noted for users (inbox/epoch-news.ts). At least once, as notices are (notices.ts). What has become another thing
 * meanwhile is obsolete: of that there is a note of its own.
 */
export function createEpochPushes(deps: {
  people: People;
  epochs: Pick<EpochCopy, 'all'>;
  delivery: Delivery;
  lookups: Pick<Lookups, 'running'>;
  clock: Pick<Clock, 'now'>;
}): PeriodicWork {
  const { people, epochs, delivery, lookups, clock } = deps;

  const due: Due<PersonDoc> = {
    read: (limit, takes) => people.toPushEpochs(clock.now(), limit, takes),
    each: push,
  };

  async function push(person: PersonDoc): Promise<void> {
    const nowMs = clock.now();
    const table = await epochs.all();
    const news = epochNews(table, nowMs);
    for (const [key, before] of Object.entries(person.epochPushes ?? {})) {
      if (before === null || before.atMs > nowMs) continue;
      const told = news.find((one) => one.key === key);
      const next = told === undefined || isReadBy(person, told) ? null : await deliver(told, before);
      await keep(key, before, next);
    }

    async function deliver(told: EpochNews, before: EpochPush): Promise<EpochPush | null> {
      const { epoch, sinceMs, untilMs } = told;
      const progress = await delivery.deliver(
        person._id,
        {
          kind: 'epoch',
          untilMs,
          message: async (reader) => ({
            ...(await textOfEpoch(epoch, { userId: person._id, table, reader, lookups })),
            tab: TABS.epoch ?? '',
            // That it has begun replaces the push before.
            about: aboutOf('epoch', epoch.id),
            atMs: sinceMs,
          }),
        },
        before,
      );
      return progress && { ...progress, to: [...progress.to] };
    }

    async function keep(key: string, before: EpochPush, next: EpochPush | null): Promise<void> {
      await people.docs.change(person._id, (now) => {
        const pushes = now.epochPushes ?? {};
        // Somebody else has come farther meanwhile.
        if (now.erased || pushes[key]?.atMs !== before.atMs) return { doc: null, result: undefined };
        return { doc: withPushes(now, { ...pushes, [key]: next }), result: undefined };
      });
    }
  }

  return { name: 'pushes of epochs', ...PUSHING.work, run: (turn) => inBatches(turn, PUSHING.batch, () => due) };
}
