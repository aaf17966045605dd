import { expect, test } from 'vitest';
import { CLOCK_OFF_MS_MAX } from '../bounds.js';
import { dueTimes, isDue } from './due.js';

const NOW = 1_000_000;

// Each within CLOCK_OFF_MS_MAX of the store's: who writes may be ahead by that, and who reads behind.
test.each([
  ['the longest wait', 60_000],
  ['the smallest one', 0],
])('a mark is due as expected between clocks that may differ by seconds, with %s', (_name, longestMs) => {
  const times = dueTimes(NOW, longestMs);
  const farthest = NOW + longestMs + 2 * CLOCK_OFF_MS_MAX;
  expect([NOW, NOW + 1, farthest, farthest + 1].map((mark) => isDue(mark, times))).toEqual([true, false, false, true]);
});

test('every mark is due at a time beyond every wait', () => {
  const times = dueTimes(NOW, 0, NOW + 86_400_000);
  expect([NOW, NOW + 86_400_000, NOW + 86_400_001].every((mark) => isDue(mark, times))).toBe(true);
});
