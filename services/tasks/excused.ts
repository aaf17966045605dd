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
  /** Number of streaks that the day kept; absent until counted. */
  kept?: number;
}

export const EXCUSED = collection<ExcusedDoc>({ name: 'excused' });

/** Manages the UTC days on which users could not be expected to check in. */
export type Excused = ReturnType<typeof createExcused>;

/** Cache lifetime of the stored days, ms; another replica may have added one. */
const READ_EVERY_MS = 60_000;
const COUNT_EVERY_MS = 60_000;
const COUNT_LEASE_MS = 10 * 60_000;

/** Derives days from outages and from spans in which claims were switched off, and stores them, because only the latest spans are kept. */
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
      // A failed write hides no day: it is derived again, and stored after the next read.
      await insertOnce(() => stored.insertOne({ _id: day, reason })).catch(() => false);
    }
    return known as ExcusedDays;
  };

  /** Counts users whose last check-in was on the last day that is not excused or later, but not on the day itself. */
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
     * Returns all excused days, the same for all users; a day is included once it is over.
     * @param nowMs time of the response: a result for another time may miss the day in between
     */
    days,
    /** Whether users cannot be expected to check in today any more. */
    today: async (nowMs: number) => isTodayHindered(await hindrances(nowMs), nowMs),
    /** Returns the number of streaks kept by each day; null while not counted. */
    kept: async (): Promise<ReadonlyMap<string, number | null>> =>
      new Map((await stored.find().toArray()).map(({ _id, kept }) => [_id, kept ?? null])),
    /** Counts the kept streaks once a day is over. */
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
