import { DAY_MS, dayKey, dayStartMs, dayStartOf } from '@cord/contracts/rules/days';
import { STREAK_NOTICE_MS } from '@cord/contracts/rules/notices';
import type { Clock } from '@cord/kit/clock';
import type { PeriodicWork, Turn } from '@cord/kit/periodic';
import type { Inbox } from './inbox.js';
import type { People, PersonDoc } from './people.js';

const EVERY_MS = 60_000;
/** People done at a time. */
const BATCH = 64;

/** A check-in, as the streak's owner tells it. */
export interface CheckIn {
  seq: bigint;
  dayKey: string;
  days: number;
}

export interface Streaks {
  /** Keeps a check-in unless a later one is there; the notice of its day is nothing to tell any more. */
  checkedIn(userId: string, checkIn: CheckIn): Promise<void>;
  /** Tells of streaks that close soon; of days that are over nobody is told. */
  work: PeriodicWork;
}

/** Tells at 22:00 UTC of the streaks that are still open (look-next.md, Notifications). */
export function createStreaks(deps: { people: People; inbox: Inbox; clock: Pick<Clock, 'now'> }): Streaks {
  const { people, inbox, clock } = deps;

  async function checkedIn(userId: string, checkIn: CheckIn): Promise<void> {
    await people.docs.change(userId, (person) => {
      if (person.erased || (person.streak && person.streak.seq >= checkIn.seq)) return { doc: null, result: undefined };
      const closesOn = dayKey(dayStartOf(checkIn.dayKey) + DAY_MS);
      return { doc: { ...person, streak: { ...person.streak, ...checkIn }, closesOn }, result: undefined };
    });
    await inbox.withdraw(userId, 'streak-closing', checkIn.dayKey);
  }

  async function sweep({ mine }: Pick<Turn, 'mine'>): Promise<void> {
    for (;;) {
      const nowMs = clock.now();
      const today = dayKey(nowMs);
      const isLate = nowMs >= dayStartMs(nowMs) + DAY_MS - STREAK_NOTICE_MS;
      const upTo = isLate ? today : dayKey(dayStartMs(nowMs) - DAY_MS);
      if ((await people.closing(upTo, 1, () => true)).length === 0) return;
      const own = await mine();
      if (!own) return;
      const batch = await people.closing(upTo, BATCH, own);
      await Promise.all(batch.map((person) => warn(person, today)));
      if (batch.length < BATCH) return;
    }
  }

  /** The notice comes first: a crash behind it tells again, and that makes no other. */
  async function warn({ _id, closesOn, streak }: PersonDoc, today: string): Promise<void> {
    if (closesOn === today && streak) {
      await inbox.tell(_id, {
        kind: 'streak-closing',
        subject: today,
        atMs: dayStartOf(today) + DAY_MS - STREAK_NOTICE_MS,
        untilMs: dayStartOf(today) + DAY_MS,
        facts: { dayKey: today, streak: streak.days },
      });
    }
    const isStill = await people.docs.change(_id, (person) => {
      if (person.closesOn !== closesOn) return { doc: null, result: false };
      const { closesOn: _told, ...rest } = person;
      return { doc: rest, result: true };
    });
    // Checked in meanwhile.
    if (!isStill && closesOn === today) await inbox.withdraw(_id, 'streak-closing', today);
  }

  return {
    checkedIn,
    work: { name: 'streaks that close', everyMs: EVERY_MS, leaseMs: 2 * EVERY_MS, parts: 16, run: sweep },
  };
}
