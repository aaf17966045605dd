import type { Outcome } from '@cord/kit/testing/simulation/run';
import { failingSeeds, seedCount, testFaultsCaught } from '@cord/kit/testing/simulation/seeds';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAULTS } from './faults.js';
import { brokenModules, type Modules, realModules, removeCopies } from './modules.js';
import { simulate } from './simulate.js';

// A delay in a service takes one turn here, since time passes by the world's clock.
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }));

// No real timers run: the world triggers retries. A dead process's interval would keep its whole world in memory.
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] as const;
beforeAll(() => void vi.useFakeTimers({ toFake: [...TIMERS] }));
afterAll(() => void vi.useRealTimers());

const SEEDS = seedCount(12);
/** Number of seeds after which a deliberate fault counts as undetected. */
const FAULT_SEEDS = Math.max(SEEDS, 400);
const TIME_LIMIT_MS = Math.max(600_000, SEEDS * 1_500);

async function simulateAlone(modules: Modules, seed: number): Promise<Outcome> {
  const outcome = await simulate(modules, seed);
  // Frees everything of a finished world.
  vi.clearAllTimers();
  return outcome;
}

describe('tasks, rewards, referrals and the ledger together', () => {
  test(
    `keep every claim, streak, commission, bonus, code and key correct over ${SEEDS} seeds`,
    async () => {
      const modules = await realModules();
      const broken = await failingSeeds(SEEDS, (seed) => simulateAlone(modules, seed));
      expect(broken.slice(0, 12)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  test('run a seed the same way first and after other seeds', { timeout: TIME_LIMIT_MS }, async () => {
    const modules = await realModules();
    const outcomes = [];
    for (const seed of [9, 3, 9]) outcomes.push(await simulateAlone(modules, seed));
    const [first, other, again] = outcomes;
    expect(again).toEqual(first);
    expect(other?.steps).not.toBe(first?.steps);
  });
});

describe('the simulation catches services in which', () => {
  beforeAll(removeCopies);
  afterAll(removeCopies);
  testFaultsCaught({
    faults: FAULTS,
    seeds: FAULT_SEEDS,
    timeLimitMs: TIME_LIMIT_MS,
    modulesWith: brokenModules,
    simulate: simulateAlone,
  });
});
