import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createMovableClock } from './clock.js';
import { createMetrics } from './metrics.js';
import { type Periodic, type PeriodicWork, partOf, periodic, type Turn } from './periodic.js';
import { randomId } from './testing/index.js';

const running: Periodic[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

/** Periodic work on a clock that stands still; `held` says which leases others have. */
function start(work: { run: PeriodicWork['run']; everyMs?: number; soon?: boolean; leaseMs?: number; parts?: number }) {
  const clock = createMovableClock({ now: () => 0 });
  const metrics = createMetrics('test', { processFigures: false });
  const held = new Set<number>();
  const asked: string[] = [];
  const warned: unknown[] = [];
  const released: string[] = [];
  const over: string[] = [];
  const leases = {
    holder: 'test-0',
    share: async (work: string, parts: number, ttlMs: number) => {
      asked.push(`${work} ${parts} ${ttlMs}`);
      return { parts: Array.from({ length: parts }, (_, part) => part).filter((part) => !held.has(part)), over };
    },
    release: async (names: readonly string[]) => void released.push(...names),
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
  return { one, clock, held, asked, released, over, warned, figures: () => metrics.registry.metrics() };
}

describe('periodic work', () => {
  it('runs soon after its start, again and again, one run at a time', async () => {
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

  it('runs at once when the clock was moved, after what is under way, and the mover waits for it', async () => {
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

  it('says and counts a run that fails, and goes on', async () => {
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

  it('takes its share only when the work asks, again before each batch', async () => {
    const { one, asked, held } = start({ leaseMs: 5_000, run: async () => undefined });
    await one.inTurn(async () => undefined);
    expect(asked).toEqual([]);
    const taken = await one.inTurn(async ({ mine }) => [await mine(), await mine()]);
    expect(taken.map((own) => own?.('any id'))).toEqual([true, true]);
    expect(asked).toEqual(['sweep 1 5000', 'sweep 1 5000']);
    held.add(0);
    expect(await one.inTurn(({ mine }) => mine())).toBeNull();
  });

  it('that is divided has the documents of its parts, which all ids fill evenly', async () => {
    const { one, held } = start({ leaseMs: 5_000, parts: 16, run: async () => undefined });
    for (let part = 0; part < 8; part += 1) held.add(part);
    const own = await one.inTurn(({ mine }) => mine());
    const ids = Array.from({ length: 4_000 }, () => randomId());
    const counts = new Map<number, number>();
    for (const id of ids) counts.set(partOf(id, 16), (counts.get(partOf(id, 16)) ?? 0) + 1);
    expect([counts.size, Math.min(...counts.values()) > 180]).toEqual([16, true]);
    expect(ids.every((id) => own?.(id) === partOf(id, 16) >= 8)).toBe(true);
  });

  it('gives over what another is to have once the run has ended, and all of it when it stops', async () => {
    const { one, over, released } = start({ leaseMs: 5_000, parts: 2, run: async () => undefined });
    over.push('sweep.1');
    await one.inTurn(async ({ mine }) => {
      await mine();
      expect(released).toEqual([]);
    });
    expect(released.splice(0)).toEqual(['sweep.1']);
    await one.stop();
    expect(released).toEqual(['sweep@test-0', 'sweep.0', 'sweep.1']);
  });

  it('stops after the batch under way: nothing is its own any more', async () => {
    let turn: Turn | undefined;
    let batches = 0;
    const { one } = start({ leaseMs: 5_000, run: async () => undefined });
    const long = one.inTurn(async (given) => {
      turn = given;
      while (await given.mine()) {
        batches += 1;
        await sleep(1);
      }
    });
    await expect.poll(() => batches).toBeGreaterThan(2);
    await one.stop();
    await long;
    expect(await turn?.mine()).toBeNull();
  });

  it('without a lease belongs to every replica; a lease without leases is a mistake', async () => {
    const { one, asked } = start({ run: async () => undefined });
    expect(await one.inTurn(async ({ mine }) => (await mine())?.('any id'))).toBe(true);
    expect(asked).toEqual([]);
    const clock = createMovableClock({ now: () => 0 });
    const bare = periodic(
      { clock, log: { warn: () => undefined } as never },
      { name: 'x', everyMs: 1, leaseMs: 1, run: async () => 0 },
    );
    await expect(bare.inTurn(({ mine }) => mine())).rejects.toThrow(/lease/);
  });
});
