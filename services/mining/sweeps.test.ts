import { createMovableClock } from '@cord/kit/clock';
import { aloneWithLeases } from '@cord/kit/testing/alone';
import { expect, test, vi } from 'vitest';
import { newAccount } from './ledger/account.js';
import { startSweeps } from './sweeps.js';

test('a sweep asks once where nothing is due, and once more than it finds', async () => {
  // Only the moved clock begins a sweep.
  vi.useFakeTimers();
  const clock = createMovableClock({ now: () => 1_000_000 });
  const account = newAccount('a'.repeat(32), 0, 0);
  let expired: string[][] = [];
  let asked = 0;
  let leases = 0;
  const sweeps = startSweeps({
    clock,
    log: { info: () => undefined, warn: () => undefined } as never,
    leases: {
      ...aloneWithLeases(),
      share: async (work, parts, ttlMs) => {
        leases += 1;
        return aloneWithLeases().share(work, parts, ttlMs);
      },
    },
    ledger: {
      moment: () => ({ nowMs: clock.now() }),
      change: async () => ({ before: account, after: { ...account } }),
      flush: async () => undefined,
    } as never,
    reads: {
      expiredLeases: async () => {
        asked += 1;
        return expired.shift() ?? [];
      },
      openCommissions: async () => [],
      dueToForget: async () => [],
    } as never,
    forgetFormer: async () => undefined,
  });
  await clock.setOffset(1);
  const idle = asked;
  await clock.setOffset(2);
  expect(asked - idle).toBe(1);
  expect(leases).toBe(0);
  expired = [['a'], ['b']];
  asked = 0;
  await clock.setOffset(3);
  expect([asked, leases]).toEqual([3, 2]);
  await sweeps.stop();
  vi.useRealTimers();
});
