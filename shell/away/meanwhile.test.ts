// @vitest-environment jsdom
import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import { SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { describe, expect, it, vi } from 'vitest';
import { minedSince, rankedSince } from './meanwhile';

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const LEFT_MS = SAMPLE_NOW_MS - 9 * HOUR_MS;

describe('what was mined', () => {
  const before = { userId: sampleUser().id, micro: 0n, atMs: LEFT_MS };
  const ran = sampleMining({ startedAt: iso(LEFT_MS - HOUR_MS), status: 'paused', leaseUntil: null });
  const begun = { ...sampleMining({ status: 'ended', startedAt: iso(LEFT_MS + HOUR_MS), earnings: 12.5 }), id: 'a' };
  const older = { ...sampleMining({ status: 'ended', startedAt: iso(LEFT_MS - 9 * HOUR_MS), earnings: 999 }), id: 'b' };

  it('is what the session that ran then has earned since, and all that was begun since', () => {
    const session = { id: ran.id, micro: 400_000_000n };
    expect(minedSince({ ...before, session }, [begun, ran, older])).toEqual({
      micro: 31_830_000n,
      wentOnMicro: 19_330_000n,
      begunMicro: 12_500_000n,
    });
  });

  it('counts a node that runs up to the moment of the answer', () => {
    const running = sampleMining({ creditedUntil: iso(SAMPLE_NOW_MS - 60_000) });
    const session = { id: running.id, micro: 419_330_000n };
    expect(minedSince({ ...before, session }, [running])?.micro).toBe(1_925_000n);
  });

  it('of a node that stood still is nothing', () => {
    expect(minedSince({ ...before, session: null }, [older])?.micro).toBe(0n);
  });

  it('is never less than nothing', () => {
    expect(minedSince({ ...before, session: { id: ran.id, micro: 419_330_001n } }, [ran])?.micro).toBe(0n);
  });

  it('is not known where nobody knew what ran then, or where the sessions do not reach back so far', () => {
    expect(minedSince({ ...before, session: undefined }, [ran])).toBeNull();
    const many = Array.from({ length: 100 }, (_, n) => ({ ...begun, id: `s${n}` }));
    expect(minedSince({ ...before, session: null }, many)).toBeNull();
  });
});

describe('who passed', () => {
  const miner = (userId: string, rank: number) => ({ userId, rank, username: userId }) as LeaderboardEntry;
  const me = (rank: number) => miner(sampleUser().id, rank);
  const seen = (rank: number, ...behind: string[]) => ({ userId: sampleUser().id, rank, behind });
  const gone = async () => null;

  it('is who stood behind and stands ahead; one who is far ahead by now is asked for', async () => {
    const ask = vi.fn(async () => ({ rank: 20, name: 'lena.w' }));
    const answer = { entry: me(33), neighbours: [miner('kofi_b', 32), me(33), miner('jiri', 34)] };
    expect(await rankedSince(seen(31, 'kofi_b', 'lena.w'), answer, ask)).toEqual({
      now: 33,
      was: 31,
      passed: 2,
      names: ['lena.w', 'kofi_b'],
    });
    expect(ask).toHaveBeenCalledExactlyOnceWith('lena.w');
  });

  it('counts those who are not known by name', async () => {
    const answer = { entry: me(35), neighbours: [miner('kofi_b', 34), me(35)] };
    expect(await rankedSince(seen(31, 'kofi_b'), answer, gone)).toMatchObject({ passed: 4, names: ['kofi_b'] });
  });

  it('leaves out who stayed behind, and whoever is not there any more', async () => {
    const answer = { entry: me(31), neighbours: [me(31), miner('kofi_b', 32)] };
    expect(await rankedSince(seen(31, 'kofi_b', 'erased'), answer, gone)).toMatchObject({ passed: 0, names: [] });
  });

  it('is nobody known where this device has not asked before; nobody ranks who has earned nothing', async () => {
    expect(await rankedSince(null, { entry: me(31), neighbours: [] }, gone)).toMatchObject({ was: null, passed: 0 });
    expect(await rankedSince(seen(31), { entry: null, neighbours: [] }, gone)).toBeNull();
  });
});
