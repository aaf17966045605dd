import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { restingAccount } from '@cord/kit/testing/account-state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Board } from './domain/board.js';
import { createSearches } from './search.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const user = (n: number) => n.toString(16).padStart(32, '0');

/** Creates a board with these names, the first on rank 1. @returns also the number of ranks of each access to the board */
function boardOf(names: readonly string[]) {
  const board = new Board(NOW, () => FIRST_BOOK);
  for (const [n, username] of names.entries()) {
    board.applyProfile(user(n), 1, { username, avatar: null, discordCreatedAtMs: 0 });
    board.applyAccount(user(n), 1, { ...restingAccount(), total: String((names.length - n) * 1_000_000) });
  }
  const looks: number[] = [];
  const counted = {
    ranked: board.ranked.bind(board),
    entriesOf: board.entriesOf.bind(board),
    nameCandidates: board.nameCandidates.bind(board),
    filterByName: (...[ids, wanted, period]: Parameters<Board['filterByName']>) => {
      looks.push(ids.length);
      return board.filterByName(ids, wanted, period);
    },
    findByName: (...[wanted, period, from, count]: Parameters<Board['findByName']>) => {
      looks.push(count);
      return board.findByName(wanted, period, from, count);
    },
  };
  return { board, counted, looks };
}

describe('a search over all miners', () => {
  test('finds any part of a name in any case, literally, and keeps the true ranks', async () => {
    const { counted } = boardOf(['Miner 1', 'minor', 'a.*b', 'MINER 0']);
    const { find } = createSearches(counted);
    const ranks = async (text: string, limit = 100) =>
      (await find(text, 'all-time', limit, NOW)).map(({ rank }) => rank);
    expect(await ranks('MINER')).toEqual([1, 4]);
    expect(await ranks('miner 0')).toEqual([4]);
    expect(await ranks('.*')).toEqual([3]);
    expect(await ranks('min', 2)).toEqual([1, 2]);
    expect(await ranks('none')).toEqual([]);
  });

  test('finds the same in slices of any size as in one walk', async () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '.'), minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 60 }),
        name,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (names, text, ranks, limit) => {
          const { counted } = boardOf(names);
          const found = await createSearches(counted, { ranks, running: 1, waiting: 1 }).find(
            text,
            'all-time',
            limit,
            NOW,
          );
          const due = names.flatMap((each, n) => (each.toLowerCase().includes(text.toLowerCase()) ? [n + 1] : []));
          expect(found.map(({ rank }) => rank)).toEqual(due.slice(0, limit));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('visits few ranks at a time, yields in between, and ends with the last hit', async () => {
    const { counted, looks } = boardOf(Array.from({ length: 2_000 }, (_, n) => `name ${n}`));
    let turns = 0;
    let searching = true;
    const others = (): void => {
      turns += 1;
      if (searching) setImmediate(others);
    };
    setImmediate(others);
    const { find } = createSearches(counted, { ranks: 50, running: 1, waiting: 4 });
    expect(await find('name', 'all-time', 1_999, NOW)).toHaveLength(1_999);
    searching = false;
    expect(looks).toHaveLength(40);
    expect(Math.max(...looks)).toBeLessThanOrEqual(50 + 16);
    expect(turns).toBeGreaterThanOrEqual(39);
    looks.length = 0;
    await find('name', 'all-time', 100, NOW);
    expect(looks.length).toBeLessThanOrEqual(3);
  });

  test('for a rare name visits only the miners who share its rarest two characters', async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => (n % 200 === 199 ? `qx ${n}` : `name ${n}`));
    const { board, counted, looks } = boardOf(names);
    const { find } = createSearches(counted, { ranks: 3, running: 1, waiting: 4 });
    expect((await find('qx', 'all-time', 100, NOW)).map(({ rank }) => rank)).toEqual(
      [...Array(10).keys()].map((n) => (n + 1) * 200),
    );
    const looked = looks.reduce((sum, count) => sum + count, 0);
    // Ten share it: ten ranks are checked from the first on, plus the overlap of slices, and then these ten.
    expect(looked).toBeLessThanOrEqual(10 + 4 * 3 + 3 * 16 + 10);
    board.applyProfile(user(199), 2, { username: 'renamed', avatar: null, discordCreatedAtMs: 0 });
    board.erase(user(399));
    expect((await find('qx', 'all-time', 100, NOW)).map(({ username }) => username)).not.toContain('qx 199');
    expect(await find('qx', 'all-time', 100, NOW)).toHaveLength(8);
    expect(await find('ame', 'all-time', 1, NOW)).toMatchObject([{ rank: 1 }]);
    expect(await find('renamed', 'all-time', 100, NOW)).toMatchObject([{ rank: 200 }]);
  });

  test('runs equal concurrent queries once, rejects too many different ones with 503, and accepts them later', async () => {
    const { counted, looks } = boardOf(Array.from({ length: 100 }, (_, n) => `name ${n}`));
    const { find } = createSearches(counted, { ranks: 10, running: 1, waiting: 2 });
    const same = await Promise.all(Array.from({ length: 8 }, () => find('name', 'all-time', 99, NOW)));
    expect(same.flat()).toHaveLength(8 * 99);
    expect(looks).toHaveLength(10);
    const many = await Promise.allSettled(['one', 'two', 'three'].map((text) => find(text, 'all-time', 100, NOW)));
    expect(many.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(many[2]).toMatchObject({ reason: { status: 503, type: 'search-busy' } });
    expect(await find('three', 'all-time', 100, NOW)).toEqual([]);
  });

  test('finds two miners who swap places between two slices, each once', async () => {
    const { board, counted } = boardOf(['ann x', 'bob x', 'cid x', 'dan x']);
    const wrapped = {
      ...counted,
      findByName: (...args: Parameters<Board['findByName']>) => {
        const ids = counted.findByName(...args);
        // cid x overtakes bob x right after the first slice.
        board.applyAccount(user(2), 2, { ...restingAccount(), total: '3500000' });
        return ids;
      },
    };
    const { find } = createSearches(wrapped, { ranks: 2, running: 1, waiting: 1 });
    // Without an overlap the second slice would begin with bob x.
    const found = await find('x', 'all-time', 100, NOW);
    expect(found.map(({ rank, username }) => [rank, username])).toEqual([
      [1, 'ann x'],
      [2, 'cid x'],
      [3, 'bob x'],
      [4, 'dan x'],
    ]);
  });

  test('finds the few holders of a name even when another one of them is renamed between two slices', async () => {
    const names = Array.from({ length: 40 }, (_, n) => (n % 10 === 9 ? `qx ${n}` : `name ${n}`));
    const { board, counted } = boardOf(names);
    const wrapped = {
      ...counted,
      filterByName: (...args: Parameters<Board['filterByName']>) => {
        const found = counted.filterByName(...args);
        board.applyProfile(user(9), 2, { username: 'renamed', avatar: null, discordCreatedAtMs: 0 });
        return found;
      },
    };
    const { find } = createSearches(wrapped, { ranks: 2, running: 1, waiting: 1 });
    const found = await find('qx', 'all-time', 100, NOW);
    expect(found.map(({ rank }) => rank)).toEqual(expect.arrayContaining([20, 30, 40]));
  });
});
