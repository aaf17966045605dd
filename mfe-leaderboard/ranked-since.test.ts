// @vitest-environment jsdom
import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { SAMPLE_NOW_MS, sampleUser } from '@cord/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { rankedSince } from './ranked-since';

describe('the miners who passed', () => {
  const miner = (userId: string, rank: number) => ({ userId, rank, username: userId }) as LeaderboardEntry;
  const me = (rank: number) => miner(sampleUser().id, rank);
  const seen = (rank: number, ...behind: string[]) => ({ atMs: SAMPLE_NOW_MS - 9 * 3_600_000, rank, behind });
  const gone = async () => null;

  it('are those who were behind and are ahead now; the rank of one far ahead is requested', async () => {
    const read = vi.fn(async () => ({ rank: 20, name: 'lena.w' }));
    const answer = { entry: me(33), neighbours: [miner('kofi_b', 32), me(33), miner('jiri', 34)] };
    expect(await rankedSince(seen(31, 'kofi_b', 'lena.w'), answer, read)).toEqual({
      now: 33,
      was: 31,
      passed: 2,
      names: ['lena.w', 'kofi_b'],
    });
    expect(read).toHaveBeenCalledExactlyOnceWith('lena.w');
  });

  it('are counted even if their names are unknown', async () => {
    const answer = { entry: me(35), neighbours: [miner('kofi_b', 34), me(35)] };
    expect(await rankedSince(seen(31, 'kofi_b'), answer, gone)).toMatchObject({ passed: 4, names: ['kofi_b'] });
  });

  it('exclude those who stayed behind or no longer exist', async () => {
    const answer = { entry: me(31), neighbours: [me(31), miner('kofi_b', 32)] };
    expect(await rankedSince(seen(31, 'kofi_b', 'erased'), answer, gone)).toMatchObject({ passed: 0, names: [] });
  });

  it('are unknown without an earlier rank on this device; a user without earnings has no rank', async () => {
    expect(await rankedSince(null, { entry: me(31), neighbours: [] }, gone)).toMatchObject({ was: null, passed: 0 });
    expect(await rankedSince(seen(31), { entry: null, neighbours: [] }, gone)).toBeNull();
  });
});
