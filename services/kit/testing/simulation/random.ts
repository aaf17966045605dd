/** A seeded random source (mulberry32): the same seed gives the same run. */
export interface Chance {
  /** 0 or more, below 1. */
  next(): number;
  /** 0 or more, below `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  oneIn(n: number): boolean;
}

export function chanceOf(seed: number): Chance {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[int(from.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  };
  return { next, int, pick, oneIn: (n) => int(n) === 0 };
}
