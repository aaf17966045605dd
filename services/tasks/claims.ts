import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import type { CreditResult } from '@cord/kit/ledger-client';
import type { Outbox } from '@cord/kit/outbox';
import { conflict, type Problem, refused, unavailable } from '@cord/kit/problem';
import type { RequestRegistration } from '@cord/kit/registration';
import type { Rules } from '@cord/kit/rules';
import type { Accounts } from './accounts.js';
import type { Catalogue } from './catalogue.js';
import type { Claimed } from './claimed.js';
import { claimed, type Refusal, refusalOf, standingOf, tierOf } from './domain/claim.js';
import { openWeekBeforeMs } from './domain/late-week.js';
import type { ProgressView } from './domain/progress.js';
import { newRecord, type Person, personOf, type TaskRecord } from './domain/record.js';
import {
  type CheckinDay,
  checkedIn,
  checkedInToday,
  checkinRefusal,
  newStreak,
  rewardToday,
  type Streak,
} from './domain/streak.js';
import { ofTask } from './domain/task.js';
import { taskTypeOf } from './domain/task-types.js';
import type { Excused } from './excused.js';
import {
  afterCheckin,
  afterClaim,
  type RecordDocument,
  type StreakDocument,
  type TaskStore,
  toRecord,
  toStreak,
} from './store.js';

/** A completed claim; `credit` is null while the ledger has not responded: it is then credited without another call. */
export interface ClaimMade {
  rewardMicro: bigint;
  completed: number;
  credit: CreditResult | null;
}

interface VisitMade {
  visitedAtMs: number;
  /** Whether this was the first visit; later ones are not stored. */
  isFirst: boolean;
}

interface CheckinMade {
  day: CheckinDay;
  credit: CreditResult | null;
}

export type Claims = ReturnType<typeof createClaims>;

interface Parts {
  store: TaskStore;
  catalogue: Catalogue;
  clock: Clock;
  accounts: Accounts;
  excused: Excused;
  rules: Rules;
  outboxes: { records: Outbox; streaks: Outbox };
  /** Counts claims for the operators. */
  counts: Pick<Claimed, 'task' | 'checkIn'>;
  /** Requests the registration from auth when `user.registered` has not arrived yet. */
  requestRegistration: RequestRegistration;
}

const ONCE = 'One-time rewards cannot be claimed again after an account was deleted';
const notKnownYet = () => unavailable('user-not-known-yet', 'Please try again in a moment', 2);
const gone = () => refused('account-erased', 'This account was deleted');

const REFUSALS: Readonly<Record<Refusal, () => Problem>> = {
  'already-completed': () => conflict('task-already-completed', TEXTS.taskAlreadyCompleted),
  'not-complete': () => refused('task-not-complete', TEXTS.taskNotComplete),
  'visit-first': () => refused('task-visit-first', TEXTS.taskNotComplete),
  expired: () => refused('task-expired', 'This task has ended'),
  'check-in': () => refused('task-by-check-in', TEXTS.taskNotComplete),
  returning: () => refused('task-once', ONCE),
  'not-known-yet': notKnownYet,
};

const CHECKIN_REFUSALS: Readonly<Record<NonNullable<ReturnType<typeof checkinRefusal>>, () => Problem>> = {
  'already-checked-in': () => conflict('already-checked-in', 'You have already checked in today'),
  'not-known-yet': notKnownYet,
  returning: () => refused('check-in-once', `${ONCE}. You can check in tomorrow.`),
};

/** Handles visits, claims and check-ins. A credit is first stored in the outbox of the user's own document, then sent to the ledger. */
export function createClaims({
  store,
  catalogue,
  clock,
  accounts,
  excused,
  rules,
  outboxes,
  counts,
  requestRegistration,
}: Parts) {
  const recordOf = async (userId: string): Promise<TaskRecord> => {
    const found = await store.records.get(userId);
    return found ? toRecord(found) : newRecord(userId);
  };
  /** Returns auth's data of a user; requests it when the event has not arrived yet. Null for erased users. */
  const known = async (userId: string): Promise<Person | null> => {
    const document = await store.records.get(userId);
    const person = document && personOf(toRecord(document));
    if (person || document?.erased) return person;
    await requestRegistration(userId);
    return personOf(await recordOf(userId));
  };
  const streakOf = async (userId: string): Promise<Streak> => {
    const found = await store.streaks.get(userId);
    return found ? toStreak(found) : newStreak(userId);
  };
  const contextOf = async (userId: string) => {
    const nowMs = clock.now();
    const [tasks, streak, days] = await Promise.all([catalogue.all(), streakOf(userId), excused.days(nowMs)]);
    const book = rules.book(nowMs);
    const today = rewardToday(book, streak, days, nowMs);
    const weekMs = openWeekBeforeMs(days, nowMs);
    return {
      weekBefore: weekMs === null ? null : { atMs: weekMs, minedMicro: await accounts.minedInWeek(userId, weekMs) },
      catalogue: tasks,
      checkedInToday: checkedInToday(streak, nowMs),
      checkinMicro: today.rewardMicro + today.bonusMicro,
      book,
      nowMs,
    };
  };

  return {
    streakOf,
    /** Excused UTC days, which break no streak; the same for all users. */
    excused: excused.days,
    /** Auth's data of the user; null before it arrived. */
    personOf: async (userId: string) => personOf(await recordOf(userId)),
    /** The current data that a user's tasks are derived from. */
    async viewOf(userId: string): Promise<ProgressView> {
      const [context, record, ledger] = await Promise.all([
        contextOf(userId),
        recordOf(userId),
        accounts.lastPublished(userId),
      ]);
      return { ...context, record, ledger };
    },
    /** @throws Problem 404 for an unknown task, 422 for one without a link to visit */
    async visit(userId: string, taskId: string) {
      const { type, measure } = await catalogue.get(taskId);
      if (!taskTypeOf(type).needsVisit && measure !== 'visit')
        throw refused('task-without-visit', 'This task has no link to visit');
      const nowMs = clock.now();
      return store.records.change<VisitMade>(userId, (doc) => {
        if (doc.erased) throw gone();
        const first = ofTask(doc.visits, taskId);
        // The first visit counts, so that another visit does not prolong the wait.
        if (first !== undefined) return { doc: null, result: { visitedAtMs: first, isFirst: false } };
        const visits = { ...doc.visits, [taskId]: nowMs };
        return { doc: { ...doc, visits }, result: { visitedAtMs: nowMs, isFirst: true } };
      });
    },
    /**
     * @throws Problem 404 unknown task; 409 completed already; 422 other refusals; 503 when `user.registered` has not arrived
     *   and auth does not respond, the ledger does not respond to what the task counts, or the rules are not known
     */
    async complete(userId: string, taskId: string): Promise<ClaimMade> {
      const task = await catalogue.get(taskId);
      await known(userId);
      const ledger = await accounts.now(userId);
      const context = await contextOf(userId);
      const book = await rules.bookForPayment(context.nowMs);
      const claim = (doc: RecordDocument) => {
        if (doc.erased) throw gone();
        const view: ProgressView = { ...context, book, ledger, record: toRecord(doc) };
        const refusal = refusalOf(task, view, standingOf(task, view));
        if (refusal) throw REFUSALS[refusal]();
        const made = claimed(task, view);
        const after = afterClaim(doc, made.record, made.credit, taskId, context.nowMs);
        const tierHundredths = tierOf(made.record, view);
        return { doc: after, result: { credit: made.credit, completed: made.record.completed, tierHundredths } };
      };
      const { credit, completed, tierHundredths } = await store.records.change(userId, claim);
      counts.task({ taskId, tierHundredths, micro: credit.amountMicro, nowMs: context.nowMs });
      const result = await outboxes.records.settle(userId, credit);
      void outboxes.records.relayNow(userId);
      return { rewardMicro: credit.amountMicro, completed, credit: result };
    },
    /** @throws Problem 409 when today's check-in was made; 422 on the day of a return; 503 when `user.registered` has not arrived and auth does not respond, or the rules are not known */
    async checkIn(userId: string): Promise<CheckinMade> {
      const person = await known(userId);
      const nowMs = clock.now();
      const [days, book] = await Promise.all([excused.days(nowMs), rules.bookForPayment(nowMs)]);
      const checkIn = (doc: StreakDocument) => {
        if (doc.erased) throw gone();
        const streak = toStreak(doc);
        const refusal = checkinRefusal(streak, person, nowMs);
        if (refusal) throw CHECKIN_REFUSALS[refusal]();
        const made = checkedIn(book, streak, days, nowMs);
        return { doc: afterCheckin(doc, made.streak, made.day, made.credit, nowMs), result: made };
      };
      const { day, credit } = await store.streaks.change(userId, checkIn);
      counts.checkIn({ micro: credit.amountMicro, nowMs });
      const result = await outboxes.streaks.settle(userId, credit);
      void outboxes.streaks.relayNow(userId);
      return { day, credit: result };
    },
  };
}
