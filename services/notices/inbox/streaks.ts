import { DAY_MS, dayKey, dayStartMs, dayStartOf } from '@cord/contracts/rules/days';
import { STREAK_NOTICE_MS } from '@cord/contracts/rules/notices';
import { type ExcusedDays, isStreakUnbroken } from '@cord/contracts/rules/streak';
import { type Due, inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork } from '@cord/kit/periodic';
import { AFTER_DAY_MS, DAILY } from '../pace.js';
import type { Inbox } from './inbox.js';
import type { Lookups } from './lookups.js';
import type { People, PersonDoc } from './people.js';

/** A check-in, as the streak's owner publishes it. */
interface CheckIn {
  seq: bigint;
  dayKey: string;
  days: number;
}

export type Streaks = ReturnType<typeof createStreaks>;

/** Notifies at 22:00 UTC of open streaks that would end with the day; not on an excused day, nor while check-ins are not possible. */
export function createStreaks(deps: {
  people: People;
  inbox: Inbox;
  clock: Pick<Clock, 'now'>;
  lookups: Pick<Lookups, 'excused'>;
}) {
  const { people, inbox, clock, lookups } = deps;

  async function checkedIn(userId: string, checkIn: CheckIn): Promise<void> {
    await people.docs.update(userId, (person) => {
      if (person.erased || (person.streak && person.streak.seq >= checkIn.seq)) return null;
      const closesOn = dayKey(dayStartOf(checkIn.dayKey) + DAY_MS);
      return { ...person, streak: { ...person.streak, ...checkIn }, closesOn };
    });
    await inbox.withdraw(userId, 'streak-closing', checkIn.dayKey);
  }

  /** @param readAtMs time of that request: one from the former day lacks the day in between */
  function look(
    { days, today: isHindered }: Awaited<ReturnType<Lookups['excused']>>,
    readAtMs: number,
  ): Due<PersonDoc> | null {
    const nowMs = clock.now();
    // By then tasks has excused the day before, if it is to be.
    if (readAtMs < dayStartMs(nowMs) + AFTER_DAY_MS) return null;
    const today = dayKey(nowMs);
    const isLate = nowMs >= dayStartMs(nowMs) + DAY_MS - STREAK_NOTICE_MS;
    const upTo = isLate && !isHindered ? today : dayKey(dayStartMs(nowMs) - DAY_MS);
    return {
      read: (limit, takes) => people.closing(upTo, limit, takes),
      each: (person) => warn(person, today, days),
    };
  }

  /** The notice is made first: a crash before the update repeats it, without a second notice. */
  async function warn({ _id, closesOn, streak }: PersonDoc, today: string, excused: ExcusedDays): Promise<void> {
    const stands = streak !== undefined && isStreakUnbroken(streak.dayKey, today, excused);
    const closes = stands && closesOn === today;
    if (closes) {
      await inbox.notify(_id, {
        kind: 'streak-closing',
        subject: today,
        atMs: dayStartOf(today) + DAY_MS - STREAK_NOTICE_MS,
        untilMs: dayStartOf(today) + DAY_MS,
        facts: { dayKey: today, streak: streak.days },
      });
    }
    // Checked on the next day as well: check-ins may become impossible for the rest of today.
    const next = closes ? dayKey(dayStartOf(today) + DAY_MS) : today;
    const isUnchanged = await people.docs.change(_id, (person) => {
      if (person.closesOn !== closesOn) return { doc: null, result: false };
      const { closesOn: _looked, ...rest } = person;
      return { doc: stands ? { ...rest, closesOn: next } : rest, result: true };
    });
    // Checked in meanwhile.
    if (!isUnchanged && closes) await inbox.withdraw(_id, 'streak-closing', today);
  }

  return {
    /** Stores a newer check-in, and removes the obsolete notice of its day. */
    checkedIn,
    /** Notifies of streaks that close soon; not for past days. */
    work: {
      name: 'streaks that close',
      ...DAILY.work,
      async run(turn) {
        const readAtMs = clock.now();
        const excused = await lookups.excused();
        await inBatches(turn, DAILY.batch, () => look(excused, readAtMs));
      },
    } satisfies PeriodicWork,
  };
}
