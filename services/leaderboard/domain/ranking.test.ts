import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareStandings, type Ranked, Ranking as RankingOf, type Standing } from './ranking.js';

/** A ranking of its own: whom it ranks it knows by id. */
class Ranking extends RankingOf<Ranked> {
  readonly #ranked = new Map<string, Ranked>();

  #of(userId: string): Ranked {
    const ranked = this.#ranked.get(userId) ?? { userId, places: [] };
    this.#ranked.set(userId, ranked);
    return ranked;
  }
  put = (standing: Standing) => this.set(this.#of(standing.userId), standing);
  take = (userId: string) => this.remove(this.#of(userId));
  rank = (userId: string) => this.rankOf(this.#of(userId));
  fill(standings: readonly Standing[]): void {
    const byId = new Map(standings.map((standing) => [standing.userId, standing]));
    this.load(
      standings.map(({ userId }) => this.#of(userId)),
      ({ userId }) => byId.get(userId) as Standing,
    );
  }
}

const userId = (n: number) => n.toString(16).padStart(32, '0');
const expectEqual = (ranking: Ranking, model: Map<string, Standing>) => {
  const sorted = [...model.values()].filter((each) => each.totalMicro > 0).sort(compareStandings);
  expect([...ranking].map((each) => each.userId)).toEqual(sorted.map((each) => each.userId));
  expect(ranking.size).toBe(sorted.length);
  for (const [index, each] of sorted.entries()) {
    expect(ranking.rank(each.userId)).toBe(index + 1);
    expect(ranking.slice(index + 1, 1)[0]?.userId).toBe(each.userId);
  }
};

describe('a ranking', () => {
  test('equals sorting everything, after any changes', () => {
    const change = fc.record({ user: fc.nat(40), totalMicro: fc.nat(6), reachedAtMs: fc.nat(3), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const ranking = new Ranking(0);
        const model = new Map<string, Standing>();
        for (const { user, totalMicro, reachedAtMs, remove } of changes) {
          const standing = { userId: userId(user), totalMicro, reachedAtMs };
          if (remove && totalMicro === 0) {
            ranking.take(standing.userId);
            model.delete(standing.userId);
          } else {
            ranking.put(standing);
            model.set(standing.userId, standing);
          }
        }
        expectEqual(ranking, model);
      }),
    );
  });

  test('stays exact over many chunks, splits and emptied chunks', () => {
    const ranking = new Ranking(0);
    const model = new Map<string, Standing>();
    let state = 7;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return state % below;
    };
    for (let step = 0; step < 12_000; step += 1) {
      const standing = { userId: userId(next(4_000)), totalMicro: next(50_000), reachedAtMs: next(10) };
      ranking.put(standing);
      model.set(standing.userId, standing);
    }
    expectEqual(ranking, model);
    for (const id of [...model.keys()].filter((_, index) => index % 50 !== 0)) {
      ranking.take(id);
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
    const ranking = new Ranking(0);
    ranking.fill(standings);
    expectEqual(ranking, new Map(standings.map((each) => [each.userId, each])));
  });

  test('of two equal totals the one reached first ranks first', () => {
    const ranking = new Ranking(0);
    ranking.put({ userId: userId(1), totalMicro: 5, reachedAtMs: 20 });
    ranking.put({ userId: userId(2), totalMicro: 5, reachedAtMs: 10 });
    expect(ranking.rank(userId(2))).toBe(1);
  });

  test('a total of 0 is unranked', () => {
    const ranking = new Ranking(0);
    ranking.put({ userId: userId(1), totalMicro: 5, reachedAtMs: 1 });
    ranking.put({ userId: userId(1), totalMicro: 0, reachedAtMs: 2 });
    expect(ranking.rank(userId(1))).toBeNull();
    expect(ranking.slice(1, 10)).toEqual([]);
  });

  test('a total beyond exact integers is refused', () => {
    expect(() => new Ranking(0).put({ userId: userId(1), totalMicro: 2 ** 60, reachedAtMs: 0 })).toThrow(RangeError);
  });
});
