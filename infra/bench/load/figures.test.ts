import { describe, expect, test } from 'vitest';
import { between, byKind, perNode, referrersOf } from './figures.ts';

const MINUTE_MS = 60_000;

describe('what a node writes', () => {
  const counted = (leases: number, accounts: number) => ({
    commands: leases + accounts,
    bytes: 100 * (leases + accounts),
    byKind: { 'leases findAndModify': leases, ...(accounts > 0 ? { 'accounts update': accounts } : {}) },
  });
  const before = between(counted(0, 0), counted(30, 0), MINUTE_MS / 2);
  const running = between(counted(30, 0), counted(90, 320), MINUTE_MS);

  test('is what was written beyond the same time without it, a node and minute, and bytes a day', () => {
    expect(perNode({ before, running, nodes: 40 })).toEqual({ writesPerMinute: 8, bytesPerDay: 8 * 100 * 1_440 });
    expect(perNode({ before, running: { ...running, ms: MINUTE_MS * 2 }, nodes: 40 }).writesPerMinute).toBe(3.25);
  });

  test('is listed by kind, the largest first, without what others write', () => {
    expect(byKind({ before, running, nodes: 40 })).toEqual([
      ['accounts update', 8],
      ['leases findAndModify', 0],
    ]);
  });
});

test('a share of the nodes is invited by the others in turn, and somebody by nobody', () => {
  expect(referrersOf(5, 0.6)).toEqual([null, null, 0, 1, 0]);
  expect(referrersOf(3, 0)).toEqual([null, null, null]);
  expect(() => referrersOf(4, 1)).toThrow('--referred');
});
