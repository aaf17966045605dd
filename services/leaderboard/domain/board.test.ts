import type { AccountState } from '@cord/contracts/events/balance';
import { PERIODS } from '@cord/contracts/rules/days';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earnedAt } from '../test/account.js';
import { Board } from './board.js';
import { Sum } from './sum.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const user = (n: number) => n.toString(16).padStart(32, '0');

const account = (total: number, { at = NOW, mined = 0, leaseUntil = 0 } = {}): AccountState =>
  earnedAt(at, String(total), {
    bySource: { mining: String(mined) },
    node: leaseUntil ? { status: 'active', leaseUntil } : {},
  });

const profile = (username: string) => ({ username, avatar: null, discordCreatedAtMs: NOW - 5.5 * 31_557_600_000 });

function boardOf(...totals: number[]): Board {
  const board = new Board(NOW, () => FIRST_BOOK);
  for (const [n, total] of totals.entries()) {
    board.applyProfile(user(n), 1, profile(`Miner ${n}`));
    board.applyAccount(user(n), 1, account(total * 1_000_000));
  }
  return board;
}

describe('the board', () => {
  test('shows a miner with rank, age, multiplier and totals', () => {
    expect(boardOf(5, 9).top('all-time', 1, NOW)).toEqual([
      {
        rank: 1,
        userId: user(1),
        username: 'Miner 1',
        avatar: null,
        total_earned: 9,
        account_age: 5.5,
        is_node_active: false,
        daily_earnings: 9,
        weekly_earnings: 9,
        monthly_earnings: 9,
        period_earned: 9,
        hasbadgeofhonor: false,
        multiplier: 3.5,
      },
    ]);
  });

  test('empties the daily ranking on a new day and keeps the others', () => {
    const board = boardOf(5, 9);
    const tomorrow = NOW + 86_400_000;
    board.rollTo(tomorrow);
    expect(board.top('daily', 10, tomorrow)).toEqual([]);
    expect(board.top('all-time', 10, tomorrow)).toHaveLength(2);
    board.applyAccount(user(0), 2, account(6_000_000, { at: tomorrow }));
    expect(board.top('daily', 10, tomorrow).map((each) => each.userId)).toEqual([user(0)]);
  });

  test('counts an event of the next day once its own day has turned', () => {
    const board = boardOf(5);
    const tomorrow = NOW + 86_400_000;
    board.applyAccount(user(0), 2, account(6_000_000, { at: tomorrow }));
    expect(board.top('daily', 10, NOW)).toEqual([]);
    board.rollTo(tomorrow);
    expect(board.top('daily', 10, tomorrow)).toHaveLength(1);
  });

  test('empties the weekly and the monthly ranking only when the week or the month ends', () => {
    const board = boardOf(5, 9);
    const sunday = NOW + 86_400_000;
    board.rollTo(sunday);
    for (const period of ['weekly', 'monthly'] as const) expect(board.top(period, 10, sunday)).toHaveLength(2);
    const monday = sunday + 86_400_000;
    board.rollTo(monday);
    expect(board.top('weekly', 10, monday)).toEqual([]);
    expect(board.top('monthly', 10, monday)).toHaveLength(2);
    board.rollTo(Date.UTC(2026, 11, 1));
    expect(board.top('monthly', 10, Date.UTC(2026, 11, 1))).toEqual([]);
  });

  test('returns a user’s own place with its neighbours', () => {
    const board = boardOf(1, 2, 3, 4, 5, 6, 7);
    const { entry, neighbours } = board.around(user(3), 'all-time', NOW);
    expect(entry?.rank).toBe(4);
    expect(neighbours.map((each) => each.rank)).toEqual([2, 3, 4, 5, 6]);
    expect(board.around(user(99), 'all-time', NOW)).toEqual({ entry: null, neighbours: [] });
  });

  test('counts only live leases as active', () => {
    const board = boardOf(1, 1);
    board.applyAccount(user(0), 2, account(1, { leaseUntil: NOW + 60_000, mined: 1 }));
    expect(board.stats(NOW).activeMiners).toBe(1);
    expect(board.stats(NOW + 61_000).activeMiners).toBe(0);
  });

  test('never shows an erased user again', () => {
    const board = boardOf(1, 2);
    board.erase(user(1));
    board.applyAccount(user(1), 9, account(99_000_000));
    board.applyProfile(user(1), 9, profile('back'));
    expect(board.top('all-time', 10, NOW).map((each) => each.userId)).toEqual([user(0)]);
    expect(board.stats(NOW)).toMatchObject({ totalMiners: 1, totalEarned: 1 });
  });

  test('reuses the memory of an erased user without showing anything of them', () => {
    const board = boardOf(1, 2);
    board.applyBadge(user(1));
    board.erase(user(1));
    board.applyAccount(user(7), 1, account(3_000_000));
    expect(board.top('all-time', 10, NOW)).toMatchObject([
      { userId: user(7), username: '–', hasbadgeofhonor: false, total_earned: 3 },
      { userId: user(0), rank: 2 },
    ]);
    expect(board.size).toBe(2);
    expect(board.nameCandidates('miner 1')).not.toContain(user(7));
  });

  describe('loaded from its own pieces', () => {
    const load = (from: Board, to: Board) => [...from.pieces(3)].forEach((piece) => void to.loadPiece(piece));
    test('is the same board whatever happened to it, and stays the same', async () => {
      const change = fc.record({
        user: fc.nat(9),
        seq: fc.integer({ min: 1, max: 6 }),
        what: fc.constantFrom('account', 'account', 'profile', 'badge', 'erase'),
      });
      const apply = (board: Board, { user: n, seq, what }: { user: number; seq: number; what: string }) => {
        const at = NOW - (seq % 3) * 86_400_000;
        if (what === 'account')
          board.applyAccount(user(n), seq, account(seq * 1_000_000 + (n % 3), { at, leaseUntil: NOW + seq }));
        if (what === 'profile') board.applyProfile(user(n), seq, profile(`Üser ${n} "${seq}`));
        if (what === 'badge') board.applyBadge(user(n));
        if (what === 'erase') board.erase(user(n));
      };
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 40 }),
          fc.array(change, { maxLength: 20 }),
          async (before, after) => {
            const board = new Board(NOW, () => FIRST_BOOK);
            for (const each of before) apply(board, each);
            const copy = new Board(NOW, () => FIRST_BOOK);
            await copy.fill(async () => load(board, copy));
            for (const step of [[], after]) {
              for (const each of step) for (const one of [board, copy]) apply(one, each);
              const seen = (one: Board) => ({
                tops: PERIODS.map((period) => one.top(period, 20, NOW)),
                stats: one.stats(NOW + 10_000 * step.length),
                miners: [...one.miners()].sort((a, b) => (a.userId < b.userId ? -1 : 1)),
                named: new Set(one.nameCandidates('er 3')),
                size: one.size,
              });
              expect(seen(copy)).toEqual(seen(board));
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  });
});

test('a sum of integers is exact beyond the range of a number', () => {
  const integer = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(fc.array(integer), (integers) => {
      const sum = new Sum();
      for (const each of integers) sum.add(each);
      expect(sum.value).toBe(integers.reduce((all, each) => all + BigInt(each), 0n));
    }),
  );
});
