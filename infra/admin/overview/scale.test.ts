import { expect, test } from 'vitest';
import { scaleLines } from './issued-card';

test.each([
  [0, 1],
  [0.4, 1],
  [1, 1],
  [338_995, 400_000],
  [400_001, 500_000],
  [501_000, 1_000_000],
  [2_100, 2_500],
])('a scale for %s ends at %s, in even steps from zero', (largest, end) => {
  const lines = scaleLines(largest);
  expect([lines[0], lines.at(-1)]).toEqual([0, end]);
  const steps = lines.slice(1).map((line, n) => line - (lines[n] ?? 0));
  for (const step of steps) expect(step).toBeCloseTo(end / steps.length, 6);
});
