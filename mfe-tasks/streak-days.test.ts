import { dayKey } from '@cord/contracts/rules/days';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { expect, test } from 'vitest';
import { fiveWeeks, milestonesOf, payOf, runsOf, type StreakDay, sinceJoined, weeksSinceJoined } from './streak-days';
import { keptDays } from './tasks.fixtures';
import type { CheckinStatus } from './use-checkin';

/** The day of the pictures, a Friday, after a streak of 18 days. */
const TODAY_MS = Date.UTC(2026, 10, 27);
const OPEN: CheckinStatus = {
  canCheckIn: true,
  currentStreak: 18,
  nextCheckInTime: new Date(TODAY_MS).toISOString(),
  dayKey: '2026-11-27',
  nextReward: 50,
  nextBonus: 95,
  stats: { longestStreak: 18, totalCheckIns: 28 },
  excused: [],
};

const HISTORY = [...keptDays(TODAY_MS, 18, 1), ...keptDays(TODAY_MS, 10, 21)];
const drawn = (weeks: StreakDay[][]) =>
  weeks.map((week) =>
    week
      .map(({ state }) => ({ done: '#', today: 'o', missed: 'x', excused: '=', next: '.', before: ' ' })[state])
      .join(''),
  );

test('five weeks from Monday to Sunday, ending with this one, show kept, missed, open and future days', () => {
  const weeks = fiveWeeks(FIRST_BOOK, OPEN, HISTORY, 0);
  expect(drawn(weeks)).toEqual(['xx#####', '#####xx', '#######', '#######', '####o..']);
  expect(weeks[0]?.[0]).toMatchObject({ key: '2026-10-26', pays: null });
  expect(weeks[1]?.map(({ pays }) => pays)).toEqual([80, 85, 90, 95, 100, null, null]);
  expect(weeks[4]?.map(({ pays }) => pays)).toEqual([125, 130, 135, 140, 145, 150, 150]);
});

test('only the current streak shows its milestones, future ones included', () => {
  const marked = fiveWeeks(FIRST_BOOK, OPEN, HISTORY, 0)
    .flat()
    .filter(({ milestone }) => milestone !== null);
  expect(marked.map(({ key, milestone }) => [key, milestone])).toEqual([
    ['2026-11-15', 7],
    ['2026-11-28', 20],
  ]);
});

test('days before the account was created are not missed, and a first day shows the pay of the next ones', () => {
  const first: CheckinStatus = { ...OPEN, currentStreak: 0, nextBonus: 5 };
  const weeks = fiveWeeks(FIRST_BOOK, first, [], TODAY_MS + 3_600_000);
  expect(drawn(weeks).at(-1)).toBe('    o..');
  expect(weeks[4]?.slice(4).map(({ pays }) => pays)).toEqual([55, 60, 65]);
});

test('the reserved height equals the number of weeks shown', () => {
  const nowMs = TODAY_MS + 13 * 3_600_000;
  const shownOf = (joinedMs: number) => sinceJoined(fiveWeeks(FIRST_BOOK, OPEN, [], joinedMs)).length;
  for (let days = 0; days < 50; days += 1) {
    const joinedMs = nowMs - days * 86_400_000;
    expect(weeksSinceJoined(joinedMs, nowMs), `joined ${days} days ago`).toBe(shownOf(joinedMs));
  }
  expect([weeksSinceJoined(nowMs, nowMs), weeksSinceJoined(0, nowMs)]).toEqual([1, 5]);
});

test('today counts as done after a check-in, even before the history contains it', () => {
  const done: CheckinStatus = { ...OPEN, canCheckIn: false, currentStreak: 19 };
  expect(drawn(fiveWeeks(FIRST_BOOK, done, HISTORY, 0)).at(-1)).toBe('#####..');
  expect(fiveWeeks(FIRST_BOOK, done, HISTORY, 0)[4]?.[5]?.pays).toBe(150);
});

test('kept days are joined across the line break, and separated from a missed day', () => {
  const weeks = fiveWeeks(FIRST_BOOK, OPEN, HISTORY, 0);
  const runs = [0, 1, 2, 3, 4].map((week) => runsOf(weeks, week));
  expect(runs).toEqual([
    [{ from: 2.5, to: 7, fadesIn: false, fadesOut: true }],
    [{ from: 0, to: 4.95, fadesIn: true, fadesOut: true }],
    [{ from: 0.5, to: 7, fadesIn: false, fadesOut: true }],
    [{ from: 0, to: 7, fadesIn: true, fadesOut: true }],
    [{ from: 0, to: 4.5, fadesIn: true, fadesOut: false }],
  ]);
});

test('an excused day joins the kept ones without counting, with its reason; one with a check-in is done', () => {
  const off = {
    ...OPEN,
    currentStreak: 17,
    excused: ['2026-11-20', '2026-11-24'].map((key) => ({ dayKey: key, reason: 'claims-off' })),
  };
  const history = HISTORY.filter(({ dayKey: key }) => key !== '2026-11-24');
  const weeks = fiveWeeks(FIRST_BOOK, off, history, 0);
  expect(drawn(weeks)).toEqual(['xx#####', '#####xx', '#######', '#######', '#=##o..']);
  expect(weeks[4]?.[1]).toMatchObject({ excuse: 'claims-off', pays: null });
  expect(weeks.flat().filter(({ excuse }) => excuse !== null)).toHaveLength(1);
  expect(runsOf(weeks, 4)).toEqual([{ from: 0, to: 4.5, fadesIn: true, fadesOut: false }]);
  expect(milestonesOf(off, history).map(({ atMs }) => dayKey(atMs))).toEqual([
    '2026-11-15',
    '2026-11-29',
    '2026-12-29',
    '2027-02-17',
  ]);
  expect(weeks.flat().filter(({ milestone }) => milestone !== null)).toHaveLength(2);
});

test('milestones show how many days of the streak remain', () => {
  const dated = milestonesOf(OPEN, HISTORY).map(({ day, atMs, toGo }) => [day, dayKey(atMs), toGo]);
  expect(dated).toEqual([
    [7, '2026-11-15', 0],
    [20, '2026-11-28', 2],
    [50, '2026-12-28', 32],
    [100, '2027-02-16', 82],
  ]);
  const done = milestonesOf({ ...OPEN, canCheckIn: false, currentStreak: 19 }, HISTORY);
  expect(done.map(({ atMs }) => dayKey(atMs))).toEqual(dated.map(([, key]) => key));
});

test('each day pays 5 more than the one before, up to the maximum from the 20th on', () => {
  expect([1, 2, 19, 20, 21].map((day) => payOf(FIRST_BOOK, day))).toEqual([55, 60, 145, 150, 150]);
});
