import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PERIODIC_JITTER } from './bounds.js';
import { createMovableClock } from './clock.js';
import { createMetrics } from './metrics.js';
import { type Periodic, type PeriodicWork, periodic, type Turn } from './periodic.js';

const running: Periodic[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** Periodic work on a clock that stands still; `held` has the leases of others. */
function start(work: { run: PeriodicWork['run']; everyMs?: number; soon?: boolean; leaseMs?: number }) {
  const clock = createMovableClock({ now: () => 0 });
  const metrics = createMetrics('test', { processFigures: false });
  const held = new Set<string>();
  const acquired: string[] = [];
  const warned: unknown[] = [];
  const released: string[] = [];
  const leases = {
    acquire: async (name: string, ttlMs: number) => {
      acquired.push(`${name} ${ttlMs}`);
      if (held.has(name)) return null;
      return { release: async () => void released.push(name) };
    },
  };
  const log = { warn: (fields: unknown) => void warned.push(fields) };
  const one = periodic(
    { clock, leases, metrics, log: log as never },
    {
      name: 'sweep',
      everyMs: 3_600_000,
      soon: false,
      ...(work.leaseMs === undefined ? { everywhere: 'a test' } : { leaseMs: work.leaseMs }),
      ...work,
    },
  );
  one.start();
  running.push(one);
  return { one, clock, held, acquired, released, warned, figures: () => metrics.registry.metrics() };
}

describe('periodic work', () => {
  it('runs soon after its start, then repeatedly, one run at a time', async () => {
    let [runs, atOnce, most] = [0, 0, 0];
    start({
      everyMs: 1,
      soon: true,
      async run() {
        runs += 1;
        atOnce += 1;
        most = Math.max(most, atOnce);
        await sleep(2);
        atOnce -= 1;
      },
    });
    await expect.poll(() => runs).toBeGreaterThan(3);
    expect(most).toBe(1);
  });

  it('rests as long as its last run allows, and runs at once when the clock was moved', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let runs = 0;
    const { clock } = start({
      everyMs: 1_000,
      soon: true,
      async run({ rest }) {
        runs += 1;
        if (runs === 1) rest(5_000);
      },
    });
    // The first comes at a random moment: all others are counted from it.
    await vi.advanceTimersToNextTimerAsync();
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000 * (1 - PERIODIC_JITTER) - 1);
    expect(runs).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000 * 2 * PERIODIC_JITTER + 1);
    expect(runs).toBe(3);
    await clock.setOffset(1_000);
    expect(runs).toBe(4);
  });

  it('runs after the work under way when the clock was moved, and the mover waits for it', async () => {
    const moved: boolean[] = [];
    const { one, clock } = start({ soon: true, run: async (turn) => void moved.push(turn.moved) });
    const order: string[] = [];
    const before = one.inTurn(async () => {
      await sleep(5);
      order.push('under way');
    });
    await clock.setOffset(1_000);
    order.push('moved');
    await before;
    expect(order).toEqual(['under way', 'moved']);
    expect(moved).toContain(true);
  });

  it('logs and counts a failed run, and continues', async () => {
    let runs = 0;
    const { clock, warned, figures } = start({
      soon: true,
      async run() {
        runs += 1;
        if (runs === 1) throw new Error('away');
      },
    });
    await clock.setOffset(1);
    await clock.setOffset(2);
    expect(warned).toHaveLength(1);
    expect(await figures()).toMatch(/cord_periodic_seconds_count\{service="test",name="sweep",outcome="failed"\} 1/);
    expect(await figures()).toMatch(/cord_periodic_seconds_count\{service="test",name="sweep",outcome="done"\} [1-9]/);
  });

  it('takes its lease only when needed, again before each batch, and releases it at a stop', async () => {
    const { one, acquired, released } = start({ leaseMs: 5_000, run: async () => undefined });
    await one.inTurn(async () => undefined);
    expect(acquired).toEqual([]);
    const taken = await one.inTurn(async ({ lease }) => [await lease(), await lease()]);
    expect(taken).toEqual([true, true]);
    expect(acquired).toEqual(['sweep 5000', 'sweep 5000']);
    await one.stop();
    expect(released).toEqual(['sweep']);
  });

  it('does nothing while another replica has the lease', async () => {
    const { one, held, released } = start({ leaseMs: 5_000, run: async () => undefined });
    held.add('sweep');
    expect(await one.inTurn(({ lease }) => lease())).toBe(false);
    await one.stop();
    expect(released).toEqual([]);
  });

  it('stops after the batch under way, and has no lease from then on', async () => {
    let turn: Turn | undefined;
    let batches = 0;
    const { one } = start({ leaseMs: 5_000, run: async () => undefined });
    const long = one.inTurn(async (given) => {
      turn = given;
      while (await given.lease()) {
        batches += 1;
        await sleep(1);
      }
    });
    await expect.poll(() => batches).toBeGreaterThan(2);
    await one.stop();
    await long;
    expect(await turn?.lease()).toBe(false);
  });

  it('without a lease runs on every replica; a lease without leases is an error', async () => {
    const { one, acquired } = start({ run: async () => undefined });
    expect(await one.inTurn(async ({ lease }) => lease())).toBe(true);
    expect(acquired).toEqual([]);
    const clock = createMovableClock({ now: () => 0 });
    const bare = periodic(
      { clock, log: { warn: () => undefined } as never },
      { name: 'x', everyMs: 1, leaseMs: 1, run: async () => 0 },
    );
    await expect(bare.inTurn(({ lease }) => lease())).rejects.toThrow(/lease/);
  });
});
