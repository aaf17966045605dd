// @vitest-environment jsdom
import { SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { describe, expect, it } from 'vitest';
import { minedSince } from './mined-since';

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
