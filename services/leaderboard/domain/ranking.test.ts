import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ranking as RankingOf } from './ranking.js';

interface Standing {
  userId: string;
  totalMicro: number;
  reachedAtMs: number;
}

/** The expected order: total descending, earlier first, userId. */
const compareStandings = (a: Standing, b: Standing): number =>
  b.totalMicro - a.totalMicro || a.reachedAtMs - b.reachedAtMs || (a.userId < b.userId ? -1 : 1);

/** A ranking addressed by user id instead of slot. */
class Ranking {
  readonly #ids: string[] = [];
  readonly #ranking = new RankingOf((slot) => this.#ids[slot] as string);

  #slotOf(userId: string): number {
    const known = this.#ids.indexOf(userId);
    return known >= 0 ? known : this.#ids.push(userId) - 1;
  }
  put = ({ userId, totalMicro, reachedAtMs }: Standing) =>
    this.#ranking.set(this.#slotOf(userId), totalMicro, reachedAtMs);
  take = (userId: string) => this.#ranking.remove(this.#slotOf(userId));
  rank = (userId: string) => this.#ranking.rankOf(this.#slotOf(userId));
  slice = (from: number, count: number) => this.#ranking.slice(from, count).map((slot) => this.#ids[slot]);
  all = () => [...this.#ranking].map((slot) => this.#ids[slot]);
  get size(): number {
    return this.#ranking.size;
  }
  fill(standings: readonly Standing[]): void {
    for (const { userId } of standings) this.#ids.push(userId);
    this.#ranking.load({
      micro: Float64Array.from(standings, ({ totalMicro }) => totalMicro),
      reachedAtMs: Float64Array.from(standings, ({ reachedAtMs }) => reachedAtMs),
    });
  }
}

const userId = (n: number) => n.toString(16).padStart(32, '0');
const expectEqual = (ranking: Ranking, model: Map<string, Standing>) => {
  const sorted = [...model.values()].filter((each) => each.totalMicro > 0).sort(compareStandings);
  expect(ranking.all()).toEqual(sorted.map((each) => each.userId));
  expect(ranking.size).toBe(sorted.length);
  for (const [index, each] of sorted.entries()) {
    expect(ranking.rank(each.userId)).toBe(index + 1);
    expect(ranking.slice(index + 1, 1)).toEqual([each.userId]);
  }
};

describe('a ranking', () => {
  test('equals a full sort after any changes', () => {
    const change = fc.record({ user: fc.nat(40), totalMicro: fc.nat(6), reachedAtMs: fc.nat(3), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const ranking = new Ranking();
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
    const ranking = new Ranking();
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

  test('loaded at once equals one filled step by step', () => {
    const standings = Array.from({ length: 3_000 }, (_, n) => ({
      // Ids are not in the order of their slots.
      userId: userId((n * 1_009) % 3_000),
      totalMicro: (n * 7919) % 1_000,
      reachedAtMs: n % 5,
    }));
    const ranking = new Ranking();
    ranking.fill(standings);
    const model = new Map<string, Standing>(standings.map((each) => [each.userId, each]));
    expectEqual(ranking, model);
    // It keeps working like the model.
    for (const { userId: id } of standings.slice(0, 900)) {
      const standing = { userId: id, totalMicro: Number.parseInt(id, 16) % 77, reachedAtMs: 1 };
      ranking.put(standing);
      model.set(id, standing);
    }
    ranking.put({ userId: userId(9_999), totalMicro: 500, reachedAtMs: 0 });
    model.set(userId(9_999), { userId: userId(9_999), totalMicro: 500, reachedAtMs: 0 });
    expectEqual(ranking, model);
  });

  test('rejects a total beyond exact integers', () => {
    expect(() => new Ranking().put({ userId: userId(1), totalMicro: 2 ** 60, reachedAtMs: 0 })).toThrow(RangeError);
  });
});
