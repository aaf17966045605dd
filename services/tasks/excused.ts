import { previousDayKey } from '@cord/contracts/rules/days';
import { type ExcusedDays, excusedDays, type Hindrances, isTodayHindered } from '@cord/contracts/rules/streak';
import { spansOfClaims } from '@cord/contracts/switches';
import type { Clock } from '@cord/kit/clock';
import { collection } from '@cord/kit/collection';
import type { PeriodicWork } from '@cord/kit/periodic';
import { createShared } from '@cord/kit/shared';
import { insertOnce } from '@cord/kit/store-errors';
import type { Switches } from '@cord/kit/switches';
import type { Connection } from 'mongoose';
import type { Outages } from './outages.js';
import { STREAKS } from './store.js';

/** A UTC day that breaks no streak. */
interface ExcusedDoc {
  /** The day's key. */
  _id: string;
  reason: string;
  /** Users without a check-in on the day whose streak it kept; absent until they were counted. */
  kept?: number;
}

export const EXCUSED = collection<ExcusedDoc>({ name: 'excused' });

/** The UTC days on which no user could be expected to check in. */
export type Excused = ReturnType<typeof createExcused>;

/** How long the kept days are believed before they are read again: another replica may have added one, ms. */
const READ_EVERY_MS = 60_000;
const COUNT_EVERY_MS = 60_000;
const COUNT_LEASE_MS = 10 * 60_000;

/** Days are derived from the spans in which claims were off and from outages, and kept: of both the latest spans only are known. */
export function createExcused(
  connection: Connection,
  {
    switches,
    outages,
    clock,
  }: { switches: Pick<Switches, 'spans'>; outages: Pick<Outages, 'spans'>; clock: Pick<Clock, 'now'> },
) {
  const stored = EXCUSED.in(connection);
  const streaks = STREAKS.in(connection);
  const shared = createShared<Map<string, string>>(READ_EVERY_MS);
  const read = async () => new Map((await stored.find().toArray()).map(({ _id, reason }) => [_id, reason]));
  const hindrances = async (nowMs: number): Promise<Hindrances> => ({
    claimsOff: spansOfClaims(switches.spans()),
    outages: await outages.spans(nowMs),
  });
  const days = async (nowMs: number): Promise<ExcusedDays> => {
    const [known, spans] = await Promise.all([shared.get(nowMs, read), hindrances(nowMs)]);
    for (const [day, reason] of excusedDays(spans, nowMs)) {
      if (known.has(day)) continue;
      known.set(day, reason);
      // A store that takes no writes hides no day: it is derived again, and kept when it is read anew.
      await insertOnce(() => stored.insertOne({ _id: day, reason })).catch(() => false);
    }
    return known as ExcusedDays;
  };

  /** Users who checked in since the last day that is not excused, and not on the day itself. */
  async function count(day: string, excused: ExcusedDays): Promise<void> {
    const before = [previousDayKey(day)];
    for (let last = before[0] as string; excused.has(last); before.push(last)) last = previousDayKey(last);
    const kept = await streaks.countDocuments({
      $and: [{ 'days.dayKey': { $in: before } }, { 'days.dayKey': { $ne: day } }],
    });
    await stored.updateOne({ _id: day }, { $set: { kept } });
  }

  return {
    /**
     * All of them, for everybody; a day is among them once it is over.
     * @param nowMs the time that the answer is for: a computation by another one may miss the day between
     */
    days,
    /** Whether no user can be expected to check in on the present day any more. */
    today: async (nowMs: number) => isTodayHindered(await hindrances(nowMs), nowMs),
    /** How many streaks each day kept, by its key; null of one whose streaks are not counted yet. */
    kept: async (): Promise<ReadonlyMap<string, number | null>> =>
      new Map((await stored.find().toArray()).map(({ _id, kept }) => [_id, kept ?? null])),
    /** Counts them, once a day is over. */
    work: {
      name: 'streaks that excused days kept',
      everyMs: COUNT_EVERY_MS,
      leaseMs: COUNT_LEASE_MS,
      async run({ lease }) {
        const excused = await days(clock.now());
        const uncounted = await stored.find({ kept: { $exists: false } }).toArray();
        for (const { _id } of uncounted) if (await lease()) await count(_id, excused);
      },
    } satisfies PeriodicWork,
  };
}
