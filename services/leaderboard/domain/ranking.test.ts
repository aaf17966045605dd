import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareStandings, Ranking, type Standing } from './ranking.js';

const userId = (n: number) => n.toString(16).padStart(32, '0');
const expectEqual = (ranking: Ranking, model: Map<string, Standing>) => {
  const sorted = [...model.values()].filter((each) => each.totalMicro > 0).sort(compareStandings);
  expect([...ranking].map((each) => each.userId)).toEqual(sorted.map((each) => each.userId));
  expect(ranking.size).toBe(sorted.length);
  for (const [index, each] of sorted.entries()) {
    expect(ranking.rankOf(each.userId)).toBe(index + 1);
    expect(ranking.slice(index + 1, 1)[0]?.userId).toBe(each.userId);
  }
};

describe('a ranking', () => {
  test('equals sorting everything, after any changes', () => {
    const change = fc.record({ user: fc.nat(40), totalMicro: fc.nat(6), reachedAtMs: fc.nat(3), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const ranking = new Ranking();
        const model = new Map<string, Standing>();
        for (const { user, totalMicro, reachedAtMs, remove } of changes) {
          const standing = { userId: userId(user), totalMicro, reachedAtMs };
          if (remove && totalMicro === 0) {
            ranking.remove(standing.userId);
            model.delete(standing.userId);
          } else {
            ranking.set(standing);
            model.set(standing.userId, standing);
          }
        }
        expectEqual(ranking, model);
      }),
    );
  });

  test('stays exact over many chunks, splits and emptied chunks', () => {
    const ranking = new Ranking();
    const model = new Map<string, Standing>();
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state % below;
    };
    for (let step = 0; step < 12_000; step += 1) {
      const standing = { userId: userId(next(4_000)), totalMicro: next(50_000), reachedAtMs: next(10) };
      ranking.set(standing);
      model.set(standing.userId, standing);
    }
    expectEqual(ranking, model);
    for (const id of [...model.keys()].filter((_, index) => index % 50 !== 0)) {
      ranking.remove(id);
      model.delete(id);
    }
    expectEqual(ranking, model);
  });

  test('loaded at once it equals one filled step by step', () => {
    const standings = Array.from({ length: 3_000 }, (_, n) => ({
      userId: userId(n),
      totalMicro: (n * 7919) % 1_000,
      reachedAtMs: n % 5,
    }));
    const ranking = new Ranking();
    ranking.load(standings);
    expectEqual(ranking, new Map(standings.map((each) => [each.userId, each])));
  });

  test('of two equal totals the one reached first ranks first', () => {
    const ranking = new Ranking();
    ranking.set({ userId: userId(1), totalMicro: 5, reachedAtMs: 20 });
    ranking.set({ userId: userId(2), totalMicro: 5, reachedAtMs: 10 });
    expect(ranking.rankOf(userId(2))).toBe(1);
  });

  test('a total of 0 is unranked', () => {
    const ranking = new Ranking();
    ranking.set({ userId: userId(1), totalMicro: 5, reachedAtMs: 1 });
    ranking.set({ userId: userId(1), totalMicro: 0, reachedAtMs: 2 });
    expect(ranking.rankOf(userId(1))).toBeNull();
    expect(ranking.slice(1, 10)).toEqual([]);
  });

  test('a total beyond exact integers is refused', () => {
    expect(() => new Ranking().set({ userId: userId(1), totalMicro: 2 ** 60, reachedAtMs: 0 })).toThrow(RangeError);
  });
});
