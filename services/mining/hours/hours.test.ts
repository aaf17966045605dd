import { DAY_MS, hourStartMs } from '@cord/contracts/rules/days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayFacts, type Hour, hoursOf, type Mined, type Part, type Run, type Span } from './hours.js';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = Date.UTC(2026, 10, 21);
const RATE = 500_000_000n;
const at = (hours: number, minutes = 0) => DAY + hours * HOUR + minutes * MINUTE;

/** A day that is over, of an old account on which nothing happened. */
const day = (facts: Partial<DayFacts> = {}): DayFacts => ({
  ...{ dayStartMs: DAY, nowMs: DAY + 5 * DAY_MS, joinedMs: DAY - 40 * DAY_MS },
  ...{ runs: [], mined: [], outages: [], signIns: [], cutOf: () => null },
  ...facts,
});

const run = (fromMs: number, toMs: number, ended: Run['ended'] = 'lease-over'): Run => ({ fromMs, toMs, ended });
const mined = (atMs: number, amountMicro = 1n, rateNano: bigint | null = RATE): Mined => ({
  ...{ atMs, amountMicro, rateNano },
});
const hour = (hours: readonly Hour[], index: number) => hours[index] as Hour;
const partsOf = ({ parts }: Hour) =>
  parts.map(
    ({ fromMs, toMs, state }) => `${(fromMs % HOUR) / MINUTE}-${(toMs - hourStartMs(fromMs)) / MINUTE} ${state}`,
  );
const only = (each: Hour): Part => {
  expect(each.parts).toHaveLength(1);
  return each.parts[0] as Part;
};

describe('an hour', () => {
  test('shows since when and at which rate the node ran, or when it paused', () => {
    const hours = hoursOf(
      day({ runs: [run(at(-3), at(5, 12))], mined: [mined(at(5) - 1, 30n), mined(at(5, 12), 6n)] }),
    );
    expect(only(hour(hours, 4))).toMatchObject({ state: 'ran', sinceMs: at(-3), rateNano: RATE, cut: null });
    expect(hour(hours, 4)).toMatchObject({ minedMicro: 30n, ranMs: HOUR });
    expect(partsOf(hour(hours, 5))).toEqual(['0-12 ran', '12-60 lease-over']);
    expect(hour(hours, 5)).toMatchObject({ minedMicro: 6n, ranMs: 12 * MINUTE });
    expect(only(hour(hours, 23))).toMatchObject({ state: 'lease-over', sinceMs: at(5, 12) });
  });

  test('has one part per rate when the rate changes, each with its cut by the network check', () => {
    const cutOf: DayFacts['cutOf'] = (rateNano) => (rateNano < RATE ? { factorHundredths: 50, accounts: 4 } : null);
    const entries = [mined(at(7, 20)), mined(at(8) - 1, 1n, RATE / 2n)];
    const [first, second] = hour(hoursOf(day({ runs: [run(at(7), at(9))], mined: entries, cutOf })), 7).parts;
    expect([first?.toMs, second?.fromMs]).toEqual([at(7, 20), at(7, 20)]);
    expect(first).toMatchObject({ rateNano: RATE, cut: null });
    expect(second).toMatchObject({ rateNano: RATE / 2n, cut: { factorHundredths: 50, accounts: 4 } });
  });

  test('keeps one rate up to its very end when another one begins with the next hour', () => {
    const entries = [mined(at(5) - 1), mined(at(5, 12), 1n, 2n * RATE)];
    const hours = hoursOf(day({ runs: [run(at(4), at(5, 12))], mined: entries }));
    expect(only(hour(hours, 4)).rateNano).toBe(RATE);
    expect(hour(hours, 5).parts[0]?.rateNano).toBe(2n * RATE);
  });

  test('gets the rate of its mining even when that was written with the first entry of the next day', () => {
    const hours = hoursOf(day({ runs: [run(at(23), at(24))], mined: [mined(at(24))] }));
    expect(only(hour(hours, 23))).toMatchObject({ state: 'ran', rateNano: RATE });
    expect(hour(hours, 23).minedMicro).toBe(0n);
  });

  test('after a lease is no-sign-in from the end of the last sign-in; after a stop it is stopped', () => {
    const signIns = [{ fromMs: at(-30), toMs: at(6) }];
    expect(partsOf(hour(hoursOf(day({ runs: [run(at(0), at(4))], signIns })), 5))).toEqual(['0-60 lease-over']);
    expect(only(hour(hoursOf(day({ runs: [run(at(0), at(4))], signIns })), 6))).toMatchObject({
      ...{ state: 'no-sign-in', sinceMs: at(6) },
    });
    expect(only(hour(hoursOf(day({ runs: [run(at(0), at(4), 'stopped')], signIns })), 6))).toMatchObject({
      ...{ state: 'stopped', sinceMs: at(4) },
    });
  });

  test('before the first known sign-in is not marked no-sign-in', () => {
    const hours = hoursOf(day({ runs: [run(at(0), at(1))], signIns: [{ fromMs: at(12), toMs: at(40) }] }));
    expect(only(hour(hours, 5)).state).toBe('lease-over');
  });

  test('shows an outage and its end while the node did not run, but not while it ran', () => {
    const outages = [
      { fromMs: at(2, 30), toMs: at(5, 30) },
      { fromMs: at(22), toMs: null },
    ];
    const hours = hoursOf(day({ runs: [run(at(0), at(4))], outages }));
    expect(only(hour(hours, 3)).state).toBe('ran');
    expect(only(hour(hours, 4))).toMatchObject({ state: 'outage', sinceMs: at(2, 30), untilMs: at(5, 30) });
    expect(partsOf(hour(hours, 5))).toEqual(['0-30 outage', '30-60 lease-over']);
    expect(only(hour(hours, 23))).toMatchObject({ state: 'outage', sinceMs: at(22), untilMs: null });
  });

  test('is before-joined before the user joined, and to-come when it is in the future', () => {
    const hours = hoursOf(day({ joinedMs: at(3, 15), nowMs: at(10, 45) }));
    expect(partsOf(hour(hours, 3))).toEqual(['0-15 before-joined', '15-60 not-started']);
    expect(only(hour(hours, 7))).toMatchObject({ state: 'not-started', sinceMs: at(3, 15) });
    expect(partsOf(hour(hours, 10))).toEqual(['0-45 not-started', '45-60 to-come']);
    expect(only(hour(hours, 23)).state).toBe('to-come');
  });
});

const time = fc.integer({ min: DAY - 2 * DAY_MS, max: DAY + 2 * DAY_MS });
/** Stretches apart from each other, in order of time. */
const spans = (most: number) =>
  fc
    .uniqueArray(time, { maxLength: 2 * most })
    .map((times) => times.sort((a, b) => a - b))
    .map((times) =>
      Array.from({ length: times.length >> 1 }, (_, n): Span => {
        const [fromMs = 0, toMs = 0] = times.slice(2 * n);
        return { fromMs, toMs };
      }),
    );
const facts = fc
  .record({
    nowMs: time,
    joinedMs: time,
    runs: spans(8),
    ends: fc.array(fc.constantFrom<NonNullable<Run['ended']>>('lease-over', 'stopped'), { minLength: 8, maxLength: 8 }),
    mined: fc.array(fc.tuple(time, fc.bigInt(0n, 10n ** 9n), fc.constantFrom(RATE, 2n * RATE, null)), {
      maxLength: 30,
    }),
    outages: spans(3),
    signIns: spans(4),
  })
  .map(
    ({ runs, ends, mined: entries, ...rest }): DayFacts => ({
      ...rest,
      dayStartMs: DAY,
      runs: runs.map((span, n) => ({ ...span, ended: ends[n] ?? null })),
      mined: entries.sort(([a], [b]) => a - b).map(([atMs, amount, rateNano]) => mined(atMs, amount, rateNano)),
      cutOf: (rateNano) => (rateNano === RATE ? { factorHundredths: 30, accounts: null } : null),
    }),
  );

describe('the hours of any day', () => {
  test('are 24, with parts that cover each hour without gap or overlap, even with a limit of one part', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(1, 2, 24), (any, partsMax) => {
        const hours = hoursOf(any, partsMax);
        expect(hours.map(({ fromMs }) => fromMs)).toEqual(Array.from({ length: 24 }, (_, n) => DAY + n * HOUR));
        for (const { fromMs, parts } of hours) {
          expect(parts.length).toBeLessThanOrEqual(partsMax);
          let reachedMs = fromMs;
          for (const part of parts) {
            expect(part.fromMs).toBe(reachedMs);
            expect(part.toMs).toBeGreaterThan(part.fromMs);
            reachedMs = part.toMs;
          }
          expect(reachedMs).toBe(fromMs + HOUR);
        }
      }),
    );
  });

  test('contain the sum of their entries and the time in which the node ran', () => {
    fc.assert(
      fc.property(facts, (any) => {
        for (const { fromMs, minedMicro, ranMs } of hoursOf(any)) {
          const of = any.mined.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + HOUR);
          expect(minedMicro).toBe(of.reduce((sum, { amountMicro }) => sum + amountMicro, 0n));
          const shown = { fromMs: Math.max(fromMs, any.joinedMs), toMs: Math.min(fromMs + HOUR, any.nowMs) };
          const ran = any.runs.map((each) => Math.min(each.toMs, shown.toMs) - Math.max(each.fromMs, shown.fromMs));
          expect(ranMs).toBe(ran.reduce((sum, ms) => sum + Math.max(0, ms), 0));
        }
      }),
    );
  });

  test('match the state computed for each single moment', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: DAY_MS - 1 }), (any, offset) => {
        const atMs = DAY + offset;
        const part = hoursOf(any, 1_000)
          .flatMap(({ parts }) => parts)
          .find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) as Part;
        const covers = ({ fromMs, toMs }: Span) => fromMs <= atMs && atMs < toMs;
        const before = any.runs.findLast(({ fromMs }) => fromMs <= atMs);
        const away = any.signIns.findLast(({ fromMs }) => fromMs <= atMs);
        const due =
          atMs >= any.nowMs
            ? 'to-come'
            : atMs < any.joinedMs
              ? 'before-joined'
              : any.runs.some(covers)
                ? 'ran'
                : any.outages.some((each) => covers(each as Span))
                  ? 'outage'
                  : before === undefined
                    ? 'not-started'
                    : before.ended === 'stopped'
                      ? 'stopped'
                      : away && away.toMs <= atMs
                        ? 'no-sign-in'
                        : 'lease-over';
        expect(part.state).toBe(due);
        if (part.sinceMs !== null) expect(part.sinceMs).toBeLessThanOrEqual(part.fromMs);
        expect(part.rateNano === null || part.state === 'ran').toBe(true);
      }),
    );
  });
});
