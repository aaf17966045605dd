import { expect, test } from 'vitest';
import { canaryLots } from './canary-lots';

function storage(seed?: string) {
  const kept = new Map(seed === undefined ? [] : [['cord.canary-lot', seed]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const MODULES = ['mfe_tasks', 'mfe_mining', 'mfe_wallet', 'mfe_referrals', 'mfe_leaderboard'];

test('a browser keeps its lot for each module', () => {
  const kept = storage();
  const lots = MODULES.map(canaryLots(kept));
  expect(MODULES.map(canaryLots(kept))).toEqual(lots);
  for (const lot of lots) expect(lot >= 0 && lot < 1).toBe(true);
  expect(new Set(lots).size).toBe(MODULES.length);
});

test('10% of the browsers are in a canary of 10%, and 1% in two at once', () => {
  const browsers = Array.from({ length: 20_000 }, (_, n) => canaryLots(storage(String(n / 20_000))));
  const inTenth = MODULES.map((module) => browsers.map((lotOf) => lotOf(module) < 0.1));
  for (const draws of inTenth) expect(draws.filter(Boolean).length / draws.length).toBeCloseTo(0.1, 1.7);
  const [one = [], other = []] = inTenth;
  expect(one.filter((drawn, n) => drawn && other[n]).length / one.length).toBeCloseTo(0.01, 2);
});
