import { describe, expect, test } from 'vitest';
import { between, byKind, perNode, referrersOf } from './figures.ts';

const MINUTE_MS = 60_000;

describe('the writes of a node', () => {
  const counted = (leases: number, accounts: number) => ({
    commands: leases + accounts,
    bytes: 100 * (leases + accounts),
    byKind: { 'leases findAndModify': leases, ...(accounts > 0 ? { 'accounts update': accounts } : {}) },
  });
  const before = between(counted(0, 0), counted(30, 0), MINUTE_MS / 2);
  const running = between(counted(30, 0), counted(90, 320), MINUTE_MS);

  test('exclude the baseline, and are given per node and minute, and in bytes per day', () => {
    expect(perNode({ before, running, nodes: 40 })).toEqual({ writesPerMinute: 8, bytesPerDay: 8 * 100 * 1_440 });
    expect(perNode({ before, running: { ...running, ms: MINUTE_MS * 2 }, nodes: 40 }).writesPerMinute).toBe(3.25);
  });

  test('are listed by kind, the largest first, without the writes of others', () => {
    expect(byKind({ before, running, nodes: 40 })).toEqual([
      ['accounts update', 8],
      ['leases findAndModify', 0],
    ]);
  });
});

test('the referred share of the nodes gets the others as referrers in turn, and some node has none', () => {
  expect(referrersOf(5, 0.6)).toEqual([null, null, 0, 1, 0]);
  expect(referrersOf(3, 0)).toEqual([null, null, null]);
  expect(() => referrersOf(4, 1)).toThrow('--referred');
});
