import { createMovableClock } from '@cord/kit/clock';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newAccount } from './ledger/account.js';
import { startSweeps } from './sweeps.js';

const account = newAccount('a'.repeat(32), 0, 0);

/** The sweep of ended leases over accounts that are due; only the moved clock begins a run. */
function sweepOver(due: string[], change: (id: string) => Promise<'changed' | 'full'> = async () => 'changed') {
  const clock = createMovableClock({ now: () => 1_000_000 });
  const counts = { queries: 0, leases: 0, warned: 0 };
  const warn = () => {
    counts.warned += 1;
  };
  const sweeps = startSweeps({
    clock,
    log: { info: () => undefined, warn } as never,
    leases: {
      ...singleReplicaLeases(),
      acquire: async (name, ttlMs) => {
        counts.leases += 1;
        return singleReplicaLeases().acquire(name, ttlMs);
      },
    },
    ledger: {
      moment: () => ({ nowMs: clock.now() }),
      async change(id: string) {
        const outcome = await change(id);
        if (outcome === 'full') return { before: account, after: account };
        due.splice(due.indexOf(id), 1);
        return { before: account, after: { ...account } };
      },
      relayed: async () => undefined,
    } as never,
    reads: {
      expiredLeases: () => async (limit: number, mine: (id: string) => boolean) => {
        counts.queries += 1;
        return due.filter(mine).slice(0, limit);
      },
      openCommissions: () => async () => [],
      dueToForget: () => async () => [],
    } as never,
    lastNodeEventSeq: async () => 0,
    purgeFormerEvents: async () => undefined,
  });
  return { clock, counts, due, sweeps };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `${from + n}`);

test('a sweep with nothing due makes one query and takes no lease', async () => {
  const { clock, counts, due, sweeps } = sweepOver([]);
  await clock.setOffset(1);
  expect(counts).toMatchObject({ queries: 1, leases: 0 });
  due.push('a', 'b');
  await clock.setOffset(2);
  expect(due).toEqual([]);
  expect(counts).toMatchObject({ queries: 3, leases: 1 });
  await sweeps.stop();
});

test('accounts that cannot be changed, even more than a batch, block no others, and the run counts as failed', async () => {
  const { clock, counts, due, sweeps } = sweepOver(ids(0, 200), async (id) => {
    if (Number(id) < 100) throw new Error('of a newer schema');
    return 'changed';
  });
  await clock.setOffset(1);
  expect(due).toEqual(ids(0, 100));
  expect(counts.warned).toBe(1);
  await sweeps.stop();
});

test('accounts with a full outbox block no others, and the run does not count as failed', async () => {
  const { clock, counts, due, sweeps } = sweepOver(ids(0, 200), async (id) => (Number(id) < 100 ? 'full' : 'changed'));
  await clock.setOffset(1);
  expect(due).toEqual(ids(0, 100));
  expect(counts.warned).toBe(0);
  await sweeps.stop();
});

test('the stream position up to which a node is forgotten is read before the query and used before the step', async () => {
  const clock = createMovableClock({ now: () => 1_000_000 });
  const order: string[] = [];
  let due = ['a'];
  const sweeps = startSweeps({
    clock,
    log: { info: () => undefined, warn: () => undefined } as never,
    leases: singleReplicaLeases(),
    ledger: {
      moment: () => ({ nowMs: clock.now() }),
      async change(id: string) {
        order.push(`step ${id}`);
        due = [];
        return { before: account, after: { ...account } };
      },
      relayed: async () => undefined,
    } as never,
    reads: {
      expiredLeases: () => async () => [],
      openCommissions: () => async () => [],
      dueToForget: () => async () => {
        order.push('look');
        return due;
      },
    } as never,
    async lastNodeEventSeq() {
      order.push('place');
      return order.length;
    },
    purgeFormerEvents: async (id, place) => void order.push(`forget ${id} up to ${place}`),
  });
  await clock.setOffset(1);
  expect(order).toEqual(['place', 'look', 'place', 'look', 'forget a up to 3', 'step a']);
  await sweeps.stop();
});
