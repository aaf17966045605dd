import type { ExcusedDays } from '@cord/contracts/rules/streak';
import { daysWithoutClaims } from '@cord/contracts/switches';
import { collection } from '@cord/kit/collection';
import { createShared } from '@cord/kit/shared';
import { insertOnce } from '@cord/kit/store-errors';
import type { Switches } from '@cord/kit/switches';
import type { Connection } from 'mongoose';

/** A UTC day that breaks no streak. */
interface ExcusedDoc {
  /** The day's key. */
  _id: string;
  reason: string;
}

export const EXCUSED = collection<ExcusedDoc>({ name: 'excused' });

/** The UTC days on which nobody could be expected to check in. */
export interface Excused {
  /**
   * All of them, for everybody; a day is among them once it is over.
   * @param nowMs the time that the answer is for: whoever reckons by another one may miss the day between
   */
  days(nowMs: number): Promise<ExcusedDays>;
}

/** How long the kept days are believed before they are read again: another replica may have added one, ms. */
const READ_EVERY_MS = 60_000;

/**
 * Days are derived from the spans in which claims were off, and kept: auth publishes the latest spans only. Notices derives them from the same
 * spans (services/notices/inbox/streaks.ts), so that a day has no other cause.
 */
export function createExcused(connection: Connection, switches: Pick<Switches, 'spans'>): Excused {
  const days = EXCUSED.in(connection);
  const kept = createShared<Map<string, string>>(READ_EVERY_MS);
  const read = async () => new Map((await days.find().toArray()).map(({ _id, reason }) => [_id, reason]));
  return {
    async days(nowMs) {
      const known = await kept.get(nowMs, read);
      for (const [day, reason] of daysWithoutClaims(switches.spans(), nowMs)) {
        if (known.has(day)) continue;
        await insertOnce(() => days.insertOne({ _id: day, reason }));
        known.set(day, reason);
      }
      return known as ExcusedDays;
    },
  };
}
