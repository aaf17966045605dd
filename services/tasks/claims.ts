import { accountRpc } from '@cord/contracts/rpc/ledger';
import { TEXTS } from '@cord/contracts/texts';
import type { Clock } from '@cord/kit/clock';
import type { CreditResult } from '@cord/kit/ledger-client';
import type { Nats } from '@cord/kit/nats';
import type { Relay } from '@cord/kit/outbox';
import { conflict, type Problem, refused } from '@cord/kit/problem';
import type { PromisedCredits } from '@cord/kit/promised-credits';
import type { Catalogue } from './catalogue.js';
import { claimed, type Refusal, refusalOf, standingOf } from './domain/claim.js';
import { withAccount } from './domain/facts.js';
import type { ProgressView } from './domain/progress.js';
import { type CheckinDay, checkedIn, checkedInToday, newStreak, rewardToday, type Streak } from './domain/streak.js';
import { afterCheckin, afterClaim, type TaskStore, toRecord, toStreak } from './store.js';

/** A claim that was made; `credit` is null while the ledger has not answered: it comes without another call. */
export interface ClaimMade {
  rewardMicro: bigint;
  completed: number;
  credit: CreditResult | null;
}

export interface CheckinMade {
  day: CheckinDay;
  credit: CreditResult | null;
}

export interface Claims {
  /** Everything that a user's tasks are derived from, now. */
  viewOf(userId: string): Promise<ProgressView>;
  streakOf(userId: string): Promise<Streak>;
  /** @throws Problem 404 for an unknown task */
  visit(userId: string, taskId: string): Promise<number>;
  /** @throws Problem 404 unknown task, 409 completed already, 422 for the other refusals of spec parts 5 and 8 */
  complete(userId: string, taskId: string): Promise<ClaimMade>;
  /** @throws Problem 409 when today's check-in was made */
  checkIn(userId: string): Promise<CheckinMade>;
}

interface Parts {
  store: TaskStore;
  catalogue: Catalogue;
  clock: Clock;
  nats: Nats;
  promises: { records: PromisedCredits; streaks: PromisedCredits };
  relays: { records: Relay; streaks: Relay };
}

/** How long a claim waits for the ledger's present totals before it decides by what is known, ms. */
const ACCOUNT_WAIT_MS = 500;

const REFUSALS: Readonly<Record<Refusal, () => Problem>> = {
  'already-completed': () => conflict('task-already-completed', TEXTS.taskAlreadyCompleted),
  'not-complete': () => refused('task-not-complete', TEXTS.taskNotComplete),
  'visit-first': () => refused('task-visit-first', TEXTS.taskNotComplete),
  expired: () => refused('task-expired', 'This task has ended'),
  'check-in': () => refused('task-by-check-in', TEXTS.taskNotComplete),
  returning: () => refused('task-once', 'One-time rewards do not come again after an account was deleted'),
};

/** What users do: visit, claim, check in. Money is promised in the user's own document first, then credited. */
export function createClaims({ store, catalogue, clock, nats, promises, relays }: Parts): Claims {
  const streakOf = async (userId: string): Promise<Streak> => {
    const found = await store.streaks.get(userId);
    return found ? toStreak(found) : newStreak(userId);
  };
  const contextOf = async (userId: string) => {
    const [tasks, streak] = await Promise.all([catalogue.all(), streakOf(userId)]);
    const nowMs = clock.now();
    const today = rewardToday(streak, nowMs);
    return {
      catalogue: tasks,
      checkedInToday: checkedInToday(streak, nowMs),
      checkinMicro: today.rewardMicro + today.bonusMicro,
      nowMs,
    };
  };
  /** The ledger may be up to 30 s ahead of its last event: a claim asks it. */
  const refreshAccount = async (userId: string): Promise<void> => {
    const account = await nats.request(accountRpc, { userId }, { timeoutMs: ACCOUNT_WAIT_MS }).catch(() => null);
    if (!account) return;
    await store.records.change(userId, (doc) => {
      const record = withAccount(toRecord(doc), BigInt(account.seq), account);
      return { doc: record ? { ...doc, account: record.account } : null, result: undefined };
    });
  };

  return {
    streakOf,
    async viewOf(userId) {
      const [context, record] = await Promise.all([contextOf(userId), store.records.change(userId, asItIs)]);
      return { ...context, record };
    },
    async visit(userId, taskId) {
      await catalogue.get(taskId);
      const nowMs = clock.now();
      return store.records.change(userId, (doc) => {
        const first = doc.visits[taskId];
        // The first visit counts, so that opening the link again does not make the wait longer.
        if (first !== undefined) return { doc: null, result: first };
        return { doc: { ...doc, visits: { ...doc.visits, [taskId]: nowMs } }, result: nowMs };
      });
    },
    async complete(userId, taskId) {
      const task = await catalogue.get(taskId);
      await refreshAccount(userId);
      const context = await contextOf(userId);
      const { credit, completed } = await store.records.change(userId, (doc) => {
        const view: ProgressView = { ...context, record: toRecord(doc) };
        const refusal = refusalOf(task, view, standingOf(task, view));
        if (refusal) throw REFUSALS[refusal]();
        const made = claimed(task, view);
        const after = afterClaim(doc, made.record, made.credit, taskId, context.nowMs);
        return { doc: after, result: { credit: made.credit, completed: made.record.completed } };
      });
      const result = await promises.records.settle(userId, credit);
      void relays.records.relayNow(userId);
      return { rewardMicro: credit.amountMicro, completed, credit: result };
    },
    async checkIn(userId) {
      const nowMs = clock.now();
      const { day, credit } = await store.streaks.change(userId, (doc) => {
        const streak = toStreak(doc);
        if (checkedInToday(streak, nowMs)) throw conflict('already-checked-in', 'You have already checked in today');
        const made = checkedIn(streak, nowMs);
        return { doc: afterCheckin(doc, made.streak, made.day, made.credit, nowMs), result: made };
      });
      const result = await promises.streaks.settle(userId, credit);
      void relays.streaks.relayNow(userId);
      return { day, credit: result };
    },
  };
}

const asItIs = (doc: Parameters<typeof toRecord>[0]) => ({ doc: null, result: toRecord(doc) });
