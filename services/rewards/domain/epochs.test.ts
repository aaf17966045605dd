import type { EpochRow } from '@cord/contracts/events/rewards';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { epochAt, firstChangeMs, seedEpochs, withEpoch, withoutEpoch } from './epochs.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const row = (changes: Partial<EpochRow> = {}): EpochRow => ({
  id: 'test',
  name: 'Test',
  description: '',
  multiplierHundredths: 150,
  startAt: NOW + DAY,
  endAt: NOW + 2 * DAY,
  ...changes,
});
const refusalOf = (result: ReturnType<typeof withEpoch>) => ('refusal' in result ? result.refusal.path : null);

describe('epochs', () => {
  test('a new system begins with Alpha x1.0 and goes on in 15-day cycles x1.1, x1.2, x1.3', () => {
    const epochs = seedEpochs(NOW);
    expect(epochs.slice(0, 5).map((each) => [each.name, each.multiplierHundredths])).toEqual([
      ['Epoch Alpha', 100],
      ['Epoch Beta', 110],
      ['Epoch Gamma', 120],
      ['Epoch Delta', 130],
      ['Epoch Epsilon', 110],
    ]);
    expect(epochAt(epochs, NOW)?.id).toBe('alpha');
    expect(epochAt(epochs, (epochs[0]?.endAt ?? 0) - 1)?.id).toBe('alpha');
    expect(epochAt(epochs, epochs[0]?.endAt ?? 0)?.id).toBe('beta');
  });

  test('nothing begins in the past, or before it could be told five seconds ahead', () => {
    expect(refusalOf(withEpoch([], row({ startAt: NOW + 14_999 }), NOW))).toBe('startDate');
    expect(refusalOf(withEpoch([], row({ startAt: NOW + 15_000 }), NOW))).toBeNull();
  });

  test('a change begins where the two tables first pay otherwise', () => {
    const table = fc
      .uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 6 })
      .chain((cuts) =>
        fc.tuple(fc.constant([...cuts].sort((a, b) => a - b)), fc.infiniteStream(fc.constantFrom(100, 150))),
      )
      .map(([cuts, rates]) =>
        cuts.slice(0, -1).map((cut, n) =>
          row({
            id: `e${cut}`,
            startAt: cut,
            endAt: cuts[n + 1] as number,
            multiplierHundredths: rates.next().value,
          }),
        ),
      );
    const paid = (epochs: readonly EpochRow[], at: number) => {
      const { id, multiplierHundredths } = epochAt(epochs, at) ?? {};
      return `${id}:${multiplierHundredths}`;
    };
    fc.assert(
      fc.property(table, table, (a, b) => {
        const due = Array.from({ length: 14 }, (_, at) => at).find((at) => paid(a, at) !== paid(b, at)) ?? null;
        expect(firstChangeMs(a, b)).toBe(due);
        expect(firstChangeMs(a, a)).toBeNull();
      }),
    );
  });

  test('no change re-rates what was mined before it', () => {
    const changes = fc.record({
      startAt: fc.integer({ min: -5, max: 5 }),
      endAt: fc.integer({ min: -5, max: 8 }),
      multiplierHundredths: fc.constantFrom(100, 150),
    });
    fc.assert(
      fc.property(changes, fc.integer({ min: -4, max: 4 }), ({ startAt, endAt, multiplierHundredths }, start) => {
        const before = [row({ startAt: NOW + start * DAY, endAt: NOW + (start + 3) * DAY })];
        const result = withEpoch(
          before,
          row({ startAt: NOW + startAt * DAY, endAt: NOW + endAt * DAY, multiplierHundredths }),
          NOW,
        );
        if ('refusal' in result) return;
        for (let at = NOW - 6 * DAY; at < NOW; at += DAY / 4) {
          expect(epochAt(result.epochs, at)?.multiplierHundredths).toBe(epochAt(before, at)?.multiplierHundredths);
        }
      }),
    );
  });

  test('a running epoch may end earlier or later but never change its multiplier', () => {
    const running = [row({ startAt: NOW - DAY })];
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, multiplierHundredths: 900 }), NOW))).toBe(
      'rewardsMultiplier',
    );
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, endAt: NOW + 15_000 }), NOW))).toBeNull();
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, endAt: NOW }), NOW))).toBe('endDate');
  });

  test('epochs never overlap', () => {
    expect(
      refusalOf(withEpoch([row()], row({ id: 'other', startAt: NOW + 1.5 * DAY, endAt: NOW + 3 * DAY }), NOW)),
    ).toBe('startDate');
    expect(
      refusalOf(withEpoch([row()], row({ id: 'other', startAt: NOW + 2 * DAY, endAt: NOW + 3 * DAY }), NOW)),
    ).toBeNull();
  });

  test('only an epoch that has not begun can be taken out', () => {
    expect(withoutEpoch([row()], 'test', NOW)).toEqual([]);
    expect(withoutEpoch([row({ startAt: NOW - DAY })], 'test', NOW)).toBeNull();
  });
});
