import { dayKey, weekKey } from '@cord/contracts/rules/days';
import { readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import { cord } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import type { ExcusedDays } from '@cord/contracts/rules/streak';
import { TASK_TYPES } from '@cord/contracts/rules/task-kinds';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { restingAccount } from '@cord/kit/testing/account-state';
import { describe, expect, test } from 'vitest';
import { claimed, refusalOf, standingOf } from './claim.js';
import { withNode } from './facts.js';
import { openWeekBeforeMs } from './late-week.js';
import { nodeTimeTodayMs, withLease } from './node-time.js';
import type { ProgressView } from './progress.js';
import { newRecord, type TaskRecord } from './record.js';
import { SEED_TASKS } from './seed.js';
import { type CatalogueTask, withGoalSince } from './task.js';
import { taskTypeOf } from './task-types.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USER = 'a'.repeat(32);
const task = (id: string): CatalogueTask => SEED_TASKS.find((each) => each.id === id) as CatalogueTask;
/** The ledger's account: the week's credit by mining alone, and a stopped node. */
const ledgerOf = (miningMicro: bigint, key = weekKey(NOW)): NonNullable<ProgressView['ledger']> => {
  const { week, ...account } = restingAccount();
  return { ...account, week: { ...week, key, miningMicro: miningMicro.toString() } };
};
const view = (changes: Partial<TaskRecord> = {}, nowMs = NOW): ProgressView => ({
  ledger: ledgerOf(0n),
  record: { ...newRecord(USER), discordCreatedAtMs: nowMs - 5.5 * YEAR_MS, ...changes },
  catalogue: SEED_TASKS,
  checkedInToday: false,
  checkinMicro: cord(55),
  weekBefore: null,
  book: FIRST_BOOK,
  nowMs,
});
/** A node that ran between two times, today or the day before. */
const ran = (fromMs: number, untilMs: number): Partial<TaskRecord> => ({
  nodeDay: {
    dayKey: dayKey(fromMs),
    ms: untilMs - fromMs,
    sessionId: 'b'.repeat(32),
    creditedUntilMs: untilMs,
    leaseUntilMs: null,
  },
});
const claim = (id: string, at: ProgressView) => ({ ...at, record: claimed(task(id), at).record });

test.each([...TASK_TYPES, 'unknown'])('the ledger accepts the claim keys of the task type %s', (name) => {
  const type = taskTypeOf(name);
  for (const claims of [0, 1, 41]) {
    const key = `task:a-task:${USER}:${type.claimKey(claims, NOW)}`;
    expect(readLedgerKey(key), key).toMatchObject({ source: 'task', userId: USER });
  }
});

describe('progress', () => {
  test('completes mine-1-hour with an hour of node time today, and ignores yesterday’s', () => {
    expect(standingOf(task('mine-1-hour'), view(ran(NOW - HOUR, NOW))).claimable).toBe(true);
    expect(standingOf(task('mine-1-hour'), view(ran(NOW - HOUR + 1000, NOW)))).toMatchObject({
      progress: 3599,
      claimable: false,
    });
    const midnight = Date.UTC(2026, 10, 21);
    expect(standingOf(task('mine-1-hour'), view(ran(midnight - HOUR, midnight))).progress).toBe(0);
  });
  describe('of node time, from the newest event of the node', () => {
    const at = (
      seq: number,
      verb: 'started' | 'stopped',
      creditedUntil: number,
      rest: { day: { dayKey: string; ms: number } },
    ) => ({
      running: verb === 'started',
      event: {
        seq: String(seq),
        sessionId: 's',
        creditedUntil,
        leaseUntil: creditedUntil + 8 * HOUR,
        ...rest,
      },
    });
    const nodeTime = (events: ReturnType<typeof at>[]) =>
      events.reduce((record, { event, running }) => withNode(record, event, running) ?? record, newRecord(USER));
    const today = (ms: number) => ({ day: { dayKey: '2026-11-21', ms } });
    test('is 0 today for yesterday’s time; a node that runs over midnight counts from midnight to its lease’s end', () => {
      const midnight = Date.UTC(2026, 10, 21);
      const day = { dayKey: '2026-11-20', ms: 5 * HOUR };
      expect(nodeTimeTodayMs(nodeTime([at(1, 'stopped', midnight - HOUR, { day })]), NOW)).toBe(0);
      const running = nodeTime([at(1, 'started', midnight - HOUR, { day })]);
      expect([midnight + 60_000, NOW].map((ms) => nodeTimeTodayMs(running, ms))).toEqual([60_000, 7 * HOUR]);
    });
    test('stops for a node that is stopped in the ledger, even before the event of the stop', () => {
      const running = nodeTime([at(1, 'started', NOW - HOUR, today(5 * 60_000))]);
      const stopped = {
        status: 'idle',
        ...{ sessionId: null, startedAt: null, creditedUntil: null, leaseUntil: null },
      };
      const node = withLease(running, { ...stopped, rateNano: '0', ranMs: 10 * 60_000 });
      expect([nodeTimeTodayMs(running, NOW), nodeTimeTodayMs(node, NOW)]).toEqual([65 * 60_000, 5 * 60_000]);
      // It was stopped and started again.
      const again = { ...stopped, status: 'active', sessionId: 'other', leaseUntil: NOW + 8 * HOUR };
      const later = withLease(running, { ...again, rateNano: '1', ranMs: 10 * 60_000 });
      expect(nodeTimeTodayMs(later, NOW)).toBe(5 * 60_000);
    });
    test('continues when a save extends the lease, but not by another session’s or an older lease', () => {
      const running = nodeTime([at(1, 'started', NOW - 9 * HOUR, today(0))]);
      expect(nodeTimeTodayMs(running, NOW)).toBe(8 * HOUR);
      const node = {
        status: 'active',
        sessionId: 's',
        startedAt: 0,
        creditedUntil: NOW,
        leaseUntil: NOW + HOUR,
        rateNano: '1',
        ranMs: 0,
      };
      expect(nodeTimeTodayMs(withLease(running, node), NOW)).toBe(9 * HOUR);
      expect(nodeTimeTodayMs(withLease(running, { ...node, sessionId: 'other' }), NOW)).toBe(0);
      expect(withLease(running, { ...node, leaseUntil: NOW - 2 * HOUR })).toBe(running);
      // Its lease has ended, and the event of the pause has not arrived.
      const paused = { ...node, status: 'paused', creditedUntil: NOW - 60_000, leaseUntil: null };
      expect(nodeTimeTodayMs(withLease(running, paused), NOW)).toBe(9 * HOUR - 60_000);
    });
  });
  test('of weekly mining counts only this ISO week, and is capped at the goal', () => {
    const standing = (ledger: ProgressView['ledger']) => standingOf(task('weekly-mining'), { ...view(), ledger });
    expect(standing(ledgerOf(cord(4000))).progress).toBe(1000);
    expect(standing(ledgerOf(cord(4000), '2026-W46')).progress).toBe(0);
  });
  test('is unknown and not claimable without the ledger’s response; other tasks do not depend on it', () => {
    const silent = (changes: Partial<TaskRecord> = {}) => ({ ...view(changes), ledger: null });
    expect(standingOf(task('weekly-mining'), silent())).toMatchObject({ progress: null, claimable: false });
    const standing = standingOf(task('weekly-mining'), silent());
    expect(refusalOf(task('weekly-mining'), silent(), standing)).toBe('not-known-yet');
    expect(standingOf(task('early-adopter'), silent()).claimable).toBe(true);
    const nodeDay = { dayKey: '2026-11-21', ms: 0, sessionId: 's', creditedUntilMs: NOW - 2 * HOUR };
    const mining = (leaseUntilMs: number | null) =>
      standingOf(task('mine-1-hour'), silent({ nodeDay: { ...nodeDay, leaseUntilMs } })).progress;
    expect([mining(NOW + HOUR), mining(NOW - HOUR), mining(null)]).toEqual([3600, null, 0]);
  });
  test('of the early adopter needs exactly five years', () => {
    expect(standingOf(task('early-adopter'), view({ discordCreatedAtMs: NOW - 5 * YEAR_MS })).claimable).toBe(true);
    expect(standingOf(task('early-adopter'), view({ discordCreatedAtMs: NOW - 5 * YEAR_MS + 1 })).claimable).toBe(
      false,
    );
  });
  test('of the invitation is complete with three friends', () => {
    expect(standingOf(task('invite-friends'), view({ friends: 2 })).claimable).toBe(false);
    expect(standingOf(task('invite-friends'), view({ friends: 7 }))).toMatchObject({ progress: 3, claimable: true });
  });
  test('of a social task needs a visit at least 5 s old', () => {
    expect(refusalOf(task('follow-x'), view(), standingOf(task('follow-x'), view()))).toBe('visit-first');
    expect(standingOf(task('follow-x'), view({ visits: { 'follow-x': NOW - 4_999 } })).claimable).toBe(false);
    expect(standingOf(task('follow-x'), view({ visits: { 'follow-x': NOW - 5_000 } })).claimable).toBe(true);
  });
  test('of the social media master needs every social task of the catalogue', () => {
    let at = view({ visits: { 'follow-x': 0, 'join-discord': 0, 'join-telegram': 0 } });
    for (const id of ['follow-x', 'join-discord']) at = claim(id, at);
    expect(standingOf(task('social-media-master'), at)).toMatchObject({
      progress: 2,
      maxProgress: 3,
      claimable: false,
    });
    expect(standingOf(task('social-media-master'), claim('join-telegram', at)).claimable).toBe(true);
  });
});

describe('claims', () => {
  const ready = view(ran(NOW - HOUR, NOW));
  test('of a daily task are possible again after 24 hours, with a new key', () => {
    const after = claim('mine-1-hour', ready);
    expect(standingOf(task('mine-1-hour'), { ...after, nowMs: NOW + DAY - 1 })).toMatchObject({
      completed: true,
      claimable: false,
      availableAtMs: NOW + DAY,
    });
    const nextDay = {
      ...after,
      nowMs: NOW + DAY,
      record: { ...after.record, ...ran(NOW + DAY - HOUR, NOW + DAY) },
    };
    expect(standingOf(task('mine-1-hour'), nextDay).claimable).toBe(true);
    expect(claimed(task('mine-1-hour'), nextDay).credit.key).toBe(`task:mine-1-hour:${USER}:2`);
  });
  test('of a week that ended while claims were off are possible in the next one, before its own', () => {
    const monday = Date.UTC(2026, 10, 23, 9);
    const weekBefore = { atMs: Date.UTC(2026, 10, 23) - 1, minedMicro: cord(1_000) };
    const late = { ...view({}, monday), weekBefore, ledger: ledgerOf(cord(1_200), weekKey(monday)) };
    expect(standingOf(task('weekly-mining'), late)).toMatchObject({
      progress: 1_000,
      completed: false,
      claimable: true,
    });
    const first = claimed(task('weekly-mining'), late);
    expect(first.credit.key).toBe(`task:weekly-mining:${USER}:2026-W47`);
    const after = { ...late, record: first.record };
    expect(standingOf(task('weekly-mining'), after)).toMatchObject({ completed: false, claimable: true });
    const second = claimed(task('weekly-mining'), after);
    expect(second.credit.key).toBe(`task:weekly-mining:${USER}:2026-W48`);
    expect(standingOf(task('weekly-mining'), { ...after, record: second.record }).completed).toBe(true);
  });
  test('of a late week need its goal, are possible once, and wait for the ledger’s response', () => {
    const monday = Date.UTC(2026, 10, 23, 9);
    const late = (minedMicro: bigint | null, changes: Partial<TaskRecord> = {}) => ({
      ...view(changes, monday),
      weekBefore: { atMs: Date.UTC(2026, 10, 23) - 1, minedMicro },
    });
    const claims = { 'weekly-mining': { count: 1, atMs: Date.UTC(2026, 10, 21), rewardMicro: 1n } };
    expect(standingOf(task('weekly-mining'), late(cord(1_000) - 1n))).toMatchObject({ progress: 0, claimable: false });
    expect(standingOf(task('weekly-mining'), late(cord(1_000), { claims }))).toMatchObject({
      progress: 0,
      claimable: false,
    });
    expect(standingOf(task('weekly-mining'), late(null))).toMatchObject({ progress: null, claimable: false });
    expect(standingOf(task('early-adopter'), late(null)).claimable).toBe(true);
    const excused: ExcusedDays = new Map([['2026-11-22', 'claims-off']]);
    expect(openWeekBeforeMs(excused, monday)).toBe(Date.UTC(2026, 10, 23) - 1);
    expect(openWeekBeforeMs(excused, monday + 7 * DAY)).toBeNull();
  });
  test('of a late week are impossible if the task got its goal only after it', () => {
    const monday = Date.UTC(2026, 10, 23);
    const late = { ...view({}, monday + HOUR), weekBefore: { atMs: monday - 1, minedMicro: cord(1_000) } };
    const since = (goalSinceMs: number) => standingOf({ ...task('weekly-mining'), goalSinceMs }, late);
    expect(since(monday - 1)).toMatchObject({ progress: 1_000, claimable: true });
    expect(since(monday)).toMatchObject({ progress: 0, claimable: false });
  });
  test.each<[string, Partial<CatalogueTask>, boolean]>([
    ['a goal that is eased', { maxProgress: 10 }, true],
    ['another measure', { measure: 'friends' }, true],
    ['another type', { type: 'daily' }, true],
    ['an end that was past and is put off', { expiresAtMs: null }, true],
    ['the same goal again', { maxProgress: 1_000 }, false],
    ['another reward', { rewardMicro: 1n }, false],
  ])('the goal starts anew with %s (%o): %s', (_, changes, isNew) => {
    const before = { ...task('weekly-mining'), measure: null, expiresAtMs: NOW - 1 };
    expect(withGoalSince(before, changes, NOW)).toEqual(isNew ? { ...changes, goalSinceMs: NOW } : changes);
  });
  test('of a weekly task are possible once per ISO week', () => {
    const ready = { ...view(), ledger: ledgerOf(cord(1000)) };
    const after = claim('weekly-mining', ready);
    expect(claimed(task('weekly-mining'), ready).credit.key).toBe(`task:weekly-mining:${USER}:2026-W47`);
    expect(standingOf(task('weekly-mining'), { ...after, nowMs: Date.UTC(2026, 10, 22, 23, 59) }).completed).toBe(true);
    expect(standingOf(task('weekly-mining'), { ...after, nowMs: Date.UTC(2026, 10, 23) }).completed).toBe(false);
  });
  test('of an achievement are possible once, and never for a user who returns after an erasure', () => {
    const after = claim('early-adopter', view());
    expect(standingOf(task('early-adopter'), { ...after, nowMs: NOW + 3650 * DAY })).toMatchObject({
      completed: true,
      availableAtMs: null,
    });
    expect(
      refusalOf(
        task('early-adopter'),
        view({ returning: true }),
        standingOf(task('early-adopter'), view({ returning: true })),
      ),
    ).toBe('returning');
  });
  test('of the mirrored check-in are made only by the check-in', () => {
    expect(standingOf(task('daily-checkin'), view())).toMatchObject({ claimable: false, rewardMicro: cord(55) });
    expect(standingOf(task('daily-checkin'), { ...view(), checkedInToday: true })).toMatchObject({
      completed: true,
      progress: 1,
    });
  });
  test('of an expired task are refused', () => {
    const expired = { ...task('early-adopter'), expiresAtMs: NOW };
    expect(refusalOf(expired, view(), standingOf(expired, view()))).toBe('expired');
  });
  test('are refused before the user’s registration has arrived', () => {
    const unknown = view({ discordCreatedAtMs: null, ...ran(NOW - HOUR, NOW) });
    const standing = standingOf(task('mine-1-hour'), unknown);
    expect(refusalOf(task('mine-1-hour'), unknown, standing)).toBe('not-known-yet');
    expect(standing.claimable).toBe(false);
  });
  test('ignore ids that every object has as property names', () => {
    for (const id of ['constructor', '__proto__', 'valueOf']) {
      const odd = { ...task('follow-x'), id };
      const at = { ...view(), catalogue: [...SEED_TASKS, odd] };
      expect(standingOf(odd, at)).toMatchObject({ completed: false, visitedAtMs: null, progress: 0 });
      expect(standingOf(task('social-media-master'), at)).toMatchObject({ progress: 0, maxProgress: 4 });
      expect(claimed(odd, at).record.claims[id]).toMatchObject({ count: 1 });
    }
  });
  test('of an unknown type are impossible, with progress 0', () => {
    const strange = { ...task('early-adopter'), type: 'seasonal', measure: null };
    expect(standingOf(strange, view())).toMatchObject({ progress: 0, claimable: false });
  });
});
