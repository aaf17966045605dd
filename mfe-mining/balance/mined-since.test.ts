// @vitest-environment jsdom
import { SAMPLE_NOW_MS, sampleMining, sampleUser } from '@cord/sdk/testing';
import { describe, expect, it } from 'vitest';
import { minedSince } from './mined-since';

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const LEFT_MS = SAMPLE_NOW_MS - 9 * HOUR_MS;

describe('the amount mined since the last visit', () => {
  const before = { userId: sampleUser().id, micro: 0n, atMs: LEFT_MS };
  const ran = sampleMining({ startedAt: iso(LEFT_MS - HOUR_MS), status: 'paused', leaseUntil: null });
  const begun = { ...sampleMining({ status: 'ended', startedAt: iso(LEFT_MS + HOUR_MS), earnings: 12.5 }), id: 'a' };
  const older = { ...sampleMining({ status: 'ended', startedAt: iso(LEFT_MS - 9 * HOUR_MS), earnings: 999 }), id: 'b' };

  it('consists of the rest of the session that ran then and of all later sessions', () => {
    const session = { id: ran.id, micro: 400_000_000n };
    expect(minedSince({ ...before, session }, [begun, ran, older])).toEqual({
      micro: 31_830_000n,
      wentOnMicro: 19_330_000n,
      begunMicro: 12_500_000n,
    });
  });

  it('includes a running node up to the time of the response', () => {
    const running = sampleMining({ creditedUntil: iso(SAMPLE_NOW_MS - 60_000) });
    const session = { id: running.id, micro: 419_330_000n };
    expect(minedSince({ ...before, session }, [running])?.micro).toBe(1_925_000n);
  });

  it('is zero for a node that did not run', () => {
    expect(minedSince({ ...before, session: null }, [older])?.micro).toBe(0n);
  });

  it('is never negative', () => {
    expect(minedSince({ ...before, session: { id: ran.id, micro: 419_330_001n } }, [ran])?.micro).toBe(0n);
  });

  it('is unknown if the session of that time is unknown, or the list of sessions does not reach back far enough', () => {
    expect(minedSince({ ...before, session: undefined }, [ran])).toBeNull();
    const many = Array.from({ length: 100 }, (_, n) => ({ ...begun, id: `s${n}` }));
    expect(minedSince({ ...before, session: null }, many)).toBeNull();
  });
});
