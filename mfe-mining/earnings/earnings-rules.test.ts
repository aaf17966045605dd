import type { EarningsBucket } from '@cord/contracts/http/mining';
import { DAY_MS } from '@cord/contracts/rules/days';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { describe, expect, test } from 'vitest';
import { EXCUSED_STREAK, NOW_MS, newcomerEarnings, STREAK } from './earnings.fixtures';
import { layOut, namedColumns, textWidth } from './layout';
import { periodsOf } from './periods';
import { roundedUp, topOf } from './scale';
import { sumOf } from './sources';
import { lobesOf, strandsThen } from './strands-then';

const bucket = (parts: Partial<EarningsBucket>): EarningsBucket => {
  const amounts = { mining: 0, checkin: 0, tasks: 0, commission: 0, claims: 0, ...parts };
  const { mining, checkin, tasks, commission, claims } = amounts;
  return { key: '2026-11-27', ranMs: 0, ...amounts, total: sumOf([mining, checkin, tasks, commission, claims]) };
};

describe('the scale', () => {
  test.each([
    [1, 1],
    [1.000001, 2],
    [414, 500],
    [2_442.23, 2_500],
    [2_500, 2_500],
    [2_500.01, 4_000],
    [32_817.61, 40_000],
    [50_001, 100_000],
    [0.03, 1],
    [0, 1],
  ])('for %d reaches to %d: 1, 2, 2.5, 4 or 5 times a power of ten', (cord, top) => {
    expect(roundedUp(cord)).toBeCloseTo(top, 9);
  });

  test('ignores claims unless there is nothing else', () => {
    expect(topOf([bucket({ mining: 900, claims: 5_000 }), bucket({ tasks: 1_300 })])).toBe(2_000);
    expect(topOf([bucket({ claims: 870 })])).toBe(1_000);
  });
});

describe('a column', () => {
  const ROOM = { height: 400, lines: 5, streak: true };
  const known = { streak: STREAK, joinedMs: NOW_MS - 90 * DAY_MS, nowMs: NOW_MS };
  const laid = (...buckets: EarningsBucket[]) => {
    const answer = { ...newcomerEarnings(), buckets };
    return layOut(periodsOf(answer, known), { ...ROOM, width: 900 });
  };

  test('stacks its sources from the ground up, with a pixel between two of them', () => {
    const { columns, ground } = laid(bucket({ mining: 500, checkin: 250, tasks: 250 }));
    const { pieces } = columns[0]!;
    expect(pieces.map(({ source }) => source)).toEqual(['mining', 'checkin', 'tasks']);
    expect(pieces.map(({ y, height }) => [ground - y, height])).toEqual([
      [200, 199],
      [300, 99],
      [400, 99],
    ]);
  });

  test('above the scale is cut slightly above its top; others are not', () => {
    const { columns, top } = laid(bucket({ mining: 800, claims: 5_000 }), bucket({ mining: 1_000 }));
    expect(columns.map(({ cut }) => cut?.text)).toEqual(['5,800.00', undefined]);
    expect(Math.min(...columns[0]!.pieces.map(({ y }) => y))).toBe(top - 6);
  });

  test.each([250, 334, 900])('that is cut has its sum above it without overlapping another, at %d px', (width) => {
    const answer = newcomerEarnings();
    const claimed = answer.buckets.map((each, n) => bucket({ ...each, claims: n > 26 ? 5_000 + 5_000 * (n % 3) : 0 }));
    const buckets = claimed.map((each, n) => ({ ...each, key: answer.buckets[n]?.key ?? '' }));
    const { columns, top } = layOut(periodsOf({ ...answer, buckets }, known), { ...ROOM, width });
    const sums = columns.flatMap(({ cut }) => (cut ? [{ ...cut, half: textWidth(cut.text) / 2 }] : []));
    expect(sums).toHaveLength(3);
    for (const [index, { x, y, half }] of sums.entries()) {
      expect([y > 12 && y < top, x - half > 0, x + half <= width]).toEqual([true, true, true]);
      for (const other of sums.slice(index + 1)) expect(y !== other.y || x + half < other.x - other.half).toBe(true);
    }
  });

  test('with a tiny amount is still visible', () => {
    const { columns } = laid(bucket({ mining: 1_000 }), bucket({ commission: 0.000001 }));
    expect(columns[1]!.pieces[0]!.height).toBeGreaterThan(0.5);
  });

  test.each([250, 334, 640, 876, 1_190])(
    'of thirty does not overlap another at %d px, and no label overlaps that of today',
    (width) => {
      const layout = layOut(periodsOf(newcomerEarnings(), known), { width, height: 200, lines: 5, streak: true });
      expect(layout.columnWidth).toBeLessThan(layout.step);
      expect(layout.columnWidth).toBeLessThanOrEqual(20);
      const named = namedColumns(layout, () => '23 Nov');
      const [last, before] = named.reverse();
      expect(last).toBe(29);
      expect((29 - (before ?? 0)) * layout.step).toBeGreaterThan(40);
    },
  );

  test.each([
    [334, [29]],
    [900, [27, 29]],
  ])(
    'of the day on which the account was created is labelled if there is room beside today: at %d px %j',
    (width, named) => {
      const opened = { ...known, joinedMs: Date.UTC(2026, 10, 25) };
      const layout = layOut(periodsOf(newcomerEarnings(), opened), { ...ROOM, width });
      expect(namedColumns(layout, () => '25 Nov')).toEqual(named);
    },
  );
});

describe('days', () => {
  const known = { streak: STREAK, joinedMs: Date.UTC(2026, 10, 25, 0, 40), nowMs: NOW_MS };
  const periods = periodsOf(newcomerEarnings(), known);

  test('before the account was created are blank and have no streak mark', () => {
    expect(periods.filter(({ before }) => before)).toHaveLength(27);
    expect(periods.slice(0, 27).every(({ mark }) => mark === null)).toBe(true);
  });

  test('last from midnight or the creation of the account until midnight or now', () => {
    const hours = periods.slice(-3).map(({ lastedMs }) => lastedMs / 3_600_000);
    expect(hours).toEqual([24 - 40 / 60, 24, 19.2]);
  });

  test('are marked kept, missed, or open for today', () => {
    const all = periodsOf(newcomerEarnings(), { ...known, joinedMs: 0 });
    const marks = all.map(({ mark }) => mark?.[0]).join('');
    expect(marks).toBe(`${'k'.repeat(9)}mm${'k'.repeat(18)}o`);
    expect(periodsOf(newcomerEarnings(), { ...known, streak: null }).every(({ mark }) => mark === null)).toBe(true);
  });

  test('that are excused without a check-in are neither kept nor missed', () => {
    const all = periodsOf(newcomerEarnings(), { ...known, streak: EXCUSED_STREAK });
    expect(all.slice(-3).map(({ mark }) => mark)).toEqual(['kept', 'excused', 'open']);
    const checkedIn = periodsOf(newcomerEarnings(), { ...known, streak: { ...EXCUSED_STREAK, kept: STREAK.kept } });
    expect(checkedIn.at(-2)?.mark).toBe('kept');
  });
});

describe('the strands of a day', () => {
  const HOUR_MS = 3_600_000;
  /** Two hours of mining at this rate per minute. */
  const at = (perMinute: number) => ({ bucket: { ...bucket({ mining: perMinute * 120 }), ranMs: 2 * HOUR_MS } });
  const now = { multiplier: 3.5, badge: true };

  test('follow from its rate: the tier and badge of that day, by the yield of a minute', () => {
    expect(strandsThen(FIRST_BOOK, at(0.5 * 3.5 * 1.1 * 1.05), 1.1, now)).toMatchObject({
      base: 0.5,
      age: 1.25,
      epoch: 0.175,
    });
    expect(strandsThen(FIRST_BOOK, at(0.5 * 3.5 * 1.1 * 1.05), 1.1, now).badge).toBeGreaterThan(0);
    expect(strandsThen(FIRST_BOOK, at(0.5 * 3.5 * 1.1), 1.1, now).badge).toBe(0);
    expect(strandsThen(FIRST_BOOK, at(0.5 * 2.5), 1, now)).toEqual({ base: 0.5, age: 0.75, epoch: 0, badge: 0 });
  });

  test('of a day without mining are those of today', () => {
    expect(strandsThen(FIRST_BOOK, { bucket: bucket({}) }, 1, now)).toMatchObject({ base: 0.5, age: 1.25, epoch: 0 });
  });

  test('share the lobes by their amounts, each with at least one', () => {
    const lobes = lobesOf({ base: 0.5, age: 1.25, epoch: 0.175, badge: 0.01 });
    const count = (strand: string) => lobes.filter((each) => each === strand).length;
    expect(lobes).toHaveLength(20);
    expect([count('age'), count('base')]).toEqual([13, 5]);
    expect(lobesOf({})).toEqual(Array(20).fill('base'));
  });
});
