import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layLobes, REPEAT, STRANDS, strandCounts, strandPattern, strandPercents } from './strands.js';

const ADDS = { base: 0.5, age: 1.25, epoch: 0.175 };
const count = <T>(list: readonly T[], item: T) => list.filter((other) => other === item).length;
const anyAdds = fc.record({
  base: fc.double({ min: 0.01, max: 10, noNaN: true }),
  age: fc.double({ min: 0, max: 10, noNaN: true }),
  epoch: fc.double({ min: 0, max: 10, noNaN: true }),
  badge: fc.double({ min: 0, max: 10, noNaN: true }),
});

describe('the strands of the cord', () => {
  it('show the share of each factor in steps of 5 %', () => {
    expect([...strandCounts(ADDS)]).toEqual([
      ['base', 5],
      ['age', 13],
      ['epoch', 2],
    ]);
    const pattern = strandPattern(ADDS);
    expect(pattern).toHaveLength(REPEAT);
    expect(count(pattern, 'age')).toBe(13);
    expect([...strandPercents(ADDS)]).toEqual([
      ['base', 26],
      ['age', 65],
      ['epoch', 9],
    ]);
  });
  it('give every active factor at least one lobe and an idle one none', () => {
    const pattern = strandPattern({ base: 0.01, age: 100, badge: 0.0001 });
    expect(count(pattern, 'badge')).toBe(1);
    expect(count(pattern, 'base')).toBe(1);
    expect(count(pattern, 'epoch')).toBe(0);
  });
  it('are spread evenly by error diffusion, without needlessly long runs', () => {
    fc.assert(
      fc.property(anyAdds, (adds) => {
        const pattern = strandPattern(adds);
        for (const strand of STRANDS) {
          const n = count(pattern, strand);
          for (let length = 1; n > 0 && length <= pattern.length; length++) {
            const inFront = count(pattern.slice(0, length), strand);
            if (Math.abs(inFront - (n * length) / pattern.length) > 2) return false;
          }
        }
        return pattern.length === REPEAT;
      }),
    );
  });
  it('are plain when nothing adds', () => {
    expect(strandPattern({})).toEqual(['base']);
  });
});

describe('the lobes of the dial', () => {
  it('lose one lobe in a hundred for each lost percent', () => {
    expect(count(layLobes(100, ADDS, 98), 'void')).toBe(2);
    expect(count(layLobes(100, ADDS, 75), 'void')).toBe(25);
    expect(count(layLobes(50, ADDS, 98), 'void')).toBe(1);
    expect(count(layLobes(100, ADDS, 100), 'void')).toBe(0);
    expect(count(layLobes(100, ADDS, 0), 'void')).toBe(100);
  });
  it('are hollow at even distances', () => {
    const lobes = layLobes(100, ADDS, 75);
    const holes = lobes.flatMap((lobe, i) => (lobe === 'void' ? [i] : []));
    expect(new Set(holes.map((hole, i) => hole - (holes[i - 1] ?? hole - 4)))).toEqual(new Set([4]));
  });
  it('keep each active strand even when nearly everything is lost', () => {
    fc.assert(
      fc.property(anyAdds, fc.integer({ min: 10, max: 100 }), (adds, efficiency) => {
        const lobes = layLobes(100, adds, efficiency);
        return STRANDS.every((strand) => (adds[strand] > 0 ? lobes.includes(strand) : !lobes.includes(strand)));
      }),
    );
  });
});
