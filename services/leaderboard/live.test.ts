import { LIVE_STATS_MS } from '@cord/contracts/live/kinds';
import { createTestClock } from '@cord/kit/testing/index';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendStats } from './live.js';

const HOUR_MS = 3_600_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A sending replica with its statistics, and a record of what it sent and when. */
function replica() {
  const made = { miners: 1, holdsLease: true, sent: [] as { atMs: number; seq: string; totalMiners: number }[] };
  const sending = sendStats({
    statsAt: () => ({ totalMiners: made.miners, activeMiners: 0, totalMined: 0, onlineNow: 0 }),
    live: {
      sendAll: (_kind, data) => void made.sent.push({ atMs: Date.now(), ...(data as { seq: string }) } as never),
    },
    clock: createTestClock(0, { running: true }),
    leases: {
      ...singleReplicaLeases(),
      acquire: async (name, ttlMs) => (made.holdsLease ? singleReplicaLeases().acquire(name, ttlMs) : null),
    },
    log: { warn: (err: unknown) => expect.unreachable(String(err)) },
  });
  sending.start();
  return { made, sending };
}

test('constantly changing figures are sent repeatedly, but never within half a minute', async () => {
  const { made, sending } = replica();
  for (let ms = 0; ms < HOUR_MS; ms += 1_000) {
    made.miners += 1;
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await sending.stop();
  const gaps = made.sent.slice(1).map(({ atMs }, n) => atMs - (made.sent[n]?.atMs ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LIVE_STATS_MS);
  expect(made.sent.length).toBeGreaterThan(HOUR_MS / (2 * LIVE_STATS_MS));
  const seqs = made.sent.map(({ seq }) => Number(seq));
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
});

test('unchanged figures are sent once, and a replica without the lease sends none', async () => {
  const { made, sending } = replica();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(made.sent.map(({ totalMiners }) => totalMiners)).toEqual([1]);
  made.holdsLease = false;
  made.miners = 2;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(made.sent).toHaveLength(1);
  made.holdsLease = true;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(made.sent.map(({ totalMiners }) => totalMiners)).toEqual([1, 2]);
  await sending.stop();
});
