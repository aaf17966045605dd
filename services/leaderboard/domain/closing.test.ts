import { isNotableRankChange } from '@cord/contracts/rules/notices';
import { expect, test } from 'vitest';
import { findRankChanges } from './closing.js';

test('who rose and who was passed is returned, with the nearest user who passed', () => {
  const before = { dayKey: '2026-11-25', userIds: ['a', 'b', 'c', 'd', 'gone'] };
  expect(findRankChanges(before, { userIds: ['a', 'd', 'new', 'b', 'c'] })).toEqual([
    { userId: 'd', rank: 2, before: 4, passedBy: 0 },
    { userId: 'b', rank: 4, before: 2, passedBy: 2, nearest: 'new' },
    { userId: 'c', rank: 5, before: 3, passedBy: 2, nearest: 'new' },
  ]);
  expect(findRankChanges(before, before)).toEqual([]);
});

test.each([
  [31, 30, true],
  [39, 40, true],
  [60, 59, false],
  [60, 58, true],
  [1_000, 960, false],
  [1_000, 950, true],
  [31, 31, false],
])('a move from rank %i to %i is news: %s', (before, after, isNews) => {
  expect(isNotableRankChange(before, after)).toBe(isNews);
  expect(isNotableRankChange(after, before)).toBe(isNews);
});
