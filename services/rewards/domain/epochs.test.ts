import type { EpochRow } from '@cord/contracts/events/rewards';
import { epochAt, firstChangeMs } from '@cord/contracts/rules/epochs';
import { rateNano } from '@cord/contracts/rules/rate';
import { FIRST_BOOK, FIRST_BOOKS } from '@cord/contracts/rules/rule-book';
import { NATS_PAYLOAD_BYTES_MAX } from '@cord/kit/bounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { descriptionOf, EPOCH_LANGUAGES, EPOCHS_MAX, seedEpochs, withEpoch, withoutEpoch } from './epochs.js';
import { previewOf, spansOf } from './preview.js';

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
  test('start with Alpha x1.0 in a new system, then follow cycles of 15 days with x1.1, x1.2, x1.3', () => {
    const epochs = seedEpochs(NOW);
    expect(epochs.slice(0, 5).map((each) => [each.name, each.multiplierHundredths])).toEqual([
      ['Epoch Alpha', 100],
      ['Epoch Beta', 110],
      ['Epoch Gamma', 120],
      ['Epoch Delta', 130],
      ['Epoch Epsilon', 110],
    ]);
    expect(epochs[1]?.description).toBe('All mining pays 10% more until the epoch closes.');
    expect(epochAt(epochs, NOW)?.id).toBe('alpha');
    expect(epochAt(epochs, (epochs[0]?.endAt ?? 0) - 1)?.id).toBe('alpha');
    expect(epochAt(epochs, epochs[0]?.endAt ?? 0)?.id).toBe('beta');
  });

  test.each(EPOCH_LANGUAGES)('have a description in %s, unless an admin has written another text', (language) => {
    for (const epoch of seedEpochs(NOW)) {
      expect(descriptionOf(epoch, language)).not.toBe(epoch.description);
      expect(descriptionOf(epoch, 'en')).toBe(epoch.description);
      expect(descriptionOf({ ...epoch, description: 'Half price' }, language)).toBe('Half price');
    }
    expect(descriptionOf(row({ description: 'All mining pays 10% more until the epoch closes.' }), language)).toMatch(
      /^All mining/,
    );
  });

  test('start at least 25 s ahead', () => {
    expect(refusalOf(withEpoch([], row({ startAt: NOW + 24_999 }), NOW))).toBe('startDate');
    expect(refusalOf(withEpoch([], row({ startAt: NOW + 25_000 }), NOW))).toBeNull();
  });

  test('are limited in number, existing ones can still change, and a full table fits into one NATS message', () => {
    const at = (n: number) => ({ startAt: NOW + (n + 1) * DAY, endAt: NOW + (n + 2) * DAY });
    // Characters of six bytes each in JSON, at the maximum length that an admin may write.
    const texts = { name: '\u0001'.repeat(80), description: '\u0001'.repeat(300) };
    const id = (n: number) => String(n).padStart(64, '0');
    const full = Array.from({ length: EPOCHS_MAX }, (_, n) => row({ ...texts, ...at(n), id: id(n) }));
    expect(refusalOf(withEpoch(full.slice(1), row(at(EPOCHS_MAX)), NOW))).toBeNull();
    expect(refusalOf(withEpoch(full, row(at(EPOCHS_MAX)), NOW))).toBe('id');
    expect(refusalOf(withEpoch(full, row({ ...at(7), id: id(7) }), NOW))).toBeNull();
    expect(Buffer.byteLength(JSON.stringify(full))).toBeLessThan(0.8 * NATS_PAYLOAD_BYTES_MAX);
  });

  test('change at the first time at which two tables pay differently', () => {
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
    const plain = (epochs: readonly EpochRow[]) => ({ epochs, books: FIRST_BOOKS });
    const paid = (epochs: readonly EpochRow[], at: number) => {
      const { id, multiplierHundredths } = epochAt(epochs, at) ?? {};
      return `${id}:${multiplierHundredths}`;
    };
    fc.assert(
      fc.property(table, table, (a, b) => {
        const due = Array.from({ length: 14 }, (_, at) => at).find((at) => paid(a, at) !== paid(b, at)) ?? null;
        expect(firstChangeMs(plain(a), plain(b))).toBe(due);
        expect(firstChangeMs(plain(a), plain(a))).toBeNull();
      }),
    );
  });

  test('never change the rate of time already mined', () => {
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

  test('can end earlier or later while running, but cannot change their multiplier', () => {
    const running = [row({ startAt: NOW - DAY })];
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, multiplierHundredths: 900 }), NOW))).toBe(
      'rewardsMultiplier',
    );
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, endAt: NOW + 25_000 }), NOW))).toBeNull();
    expect(refusalOf(withEpoch(running, row({ startAt: NOW - DAY, endAt: NOW }), NOW))).toBe('endDate');
  });

  test('never overlap', () => {
    expect(
      refusalOf(withEpoch([row()], row({ id: 'other', startAt: NOW + 1.5 * DAY, endAt: NOW + 3 * DAY }), NOW)),
    ).toBe('startDate');
    expect(
      refusalOf(withEpoch([row()], row({ id: 'other', startAt: NOW + 2 * DAY, endAt: NOW + 3 * DAY }), NOW)),
    ).toBeNull();
  });

  test('can be removed only before they start', () => {
    expect(withoutEpoch([row()], 'test', NOW)).toEqual([]);
    expect(withoutEpoch([row({ startAt: NOW - DAY })], 'test', NOW)).toBeNull();
  });
});

describe('a preview', () => {
  const nodes = (tierHundredths: number, count: number, more: object = {}) => ({
    ...{ tierHundredths, antiCheatHundredths: 100, badge: false, nodes: count },
    ...more,
  });
  const groups = [nodes(100, 3), nodes(1_000, 2, { badge: true }), nodes(350, 1, { antiCheatHundredths: 50 })];
  const whole = { running: 6, sampled: 6, isWhole: true, groups };
  const previewed = (before: EpochRow[], after: EpochRow[], running = whole) => {
    const spans = spansOf(before, after, NOW);
    return previewOf({ before, after, spans, atMs: spans[0]?.fromMs ?? NOW, nowMs: NOW, book: FIRST_BOOK }, running);
  };

  test('adds up what the nodes mine more, to the micro-CORD, wherever the two tables differ', () => {
    const anyRow = fc.record({
      startAt: fc.integer({ min: -3, max: 9 }),
      length: fc.integer({ min: 1, max: 5 }),
      multiplierHundredths: fc.constantFrom(100, 110, 125),
    });
    const table = fc
      .array(anyRow, { maxLength: 3 })
      .map((rows) =>
        rows.flatMap(({ startAt, length, ...each }, n) =>
          rows.slice(0, n).some((one) => one.startAt < startAt + length && startAt < one.startAt + one.length)
            ? []
            : [row({ ...each, id: `e${n}`, startAt: NOW + startAt * DAY, endAt: NOW + (startAt + length) * DAY })],
        ),
      );
    fc.assert(
      fc.property(table, table, (before, after) => {
        let nano = 0n;
        for (let at = NOW; at < NOW + 15 * DAY; at += DAY) {
          for (const [rows, sign] of [
            [after, 1n],
            [before, -1n],
          ] as const) {
            const epochHundredths = BigInt(epochAt(rows, at)?.multiplierHundredths ?? 100);
            for (const group of groups) {
              const factors = { tierHundredths: BigInt(group.tierHundredths), badge: group.badge, epochHundredths };
              const rate = rateNano(FIRST_BOOK, { ...factors, antiCheatHundredths: BigInt(group.antiCheatHundredths) });
              nano += sign * rate * BigInt(group.nodes) * 1_440n;
            }
          }
        }
        expect(previewed(before, after).adds).toBeCloseTo(Number(nano) / 1e9, 5);
      }),
    );
  });

  test('shows the rates by tier before and after, the highest rate, and the size of the sample', () => {
    const before = [row({ multiplierHundredths: 120 })];
    const after = [row({ multiplierHundredths: 125 })];
    const preview = previewed(before, after, { ...whole, running: 600, isWhole: false });
    expect(preview).toMatchObject({ nodes: 600, sampled: 6, isWhole: false, multiplierNow: 1, highestRate: 6.5625 });
    expect(preview.tiers[0]).toEqual({
      fromYears: 0,
      multiplier: 1,
      nodes: 300,
      rateNow: 0.5,
      rateBefore: 0.6,
      rateAfter: 0.625,
    });
    expect(preview.tiers[8]).toMatchObject({ fromYears: 8, nodes: 200, rateBefore: 6, rateAfter: 6.25 });
    // Three at 0.5, two at 5 with badge, one at 1.75 halved: 12.875 a minute at x1.
    const [span] = preview.spans;
    expect([span?.perDayBefore, span?.perDayAfter]).toEqual([2_224_800, 2_317_500]);
    expect(preview.adds).toBe(92_700);
  });

  test('is empty for a change of texts, and adds 0 if no node runs', () => {
    expect(previewed([row()], [row({ name: 'Other' })])).toMatchObject({ spans: [], adds: 0 });
    const idle = { running: 0, sampled: 0, isWhole: true, groups: [] };
    expect(previewed([], [row()], idle)).toMatchObject({ nodes: 0, adds: 0 });
  });
});
