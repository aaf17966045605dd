import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FAULTS } from './faults.js';
import { brokenModules, realModules, removeCopies } from './modules.js';
import { simulate } from './simulate.js';

// What waits a moment in a service waits for one turn here: time passes by the world's own clock.
vi.mock('node:timers/promises', () => ({ setTimeout: () => new Promise((resolve) => setImmediate(resolve)) }));

// A retry of what the world brings again: no time of the machine is in a run.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterAll(() => void vi.useRealTimers());

/** Seeds of one run, and where they begin: more and others by environment. */
const WHOLE = process.env.SIMULATION_SEEDS !== undefined;
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 12);
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);
/** Seeds after which a deliberate fault counts as not caught. */
const FAULT_SEEDS = Math.max(SEEDS, 400);
const TIME_LIMIT_MS = Math.max(600_000, SEEDS * 1_500);

describe('tasks, rewards, referrals and the ledger together', () => {
  test(
    `hold every claim, streak, commission, bonus, code and key over ${SEEDS} seeds`,
    async () => {
      const modules = await realModules();
      const broken: string[] = [];
      let steps = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
        const outcome = await simulate(modules, seed);
        // Of a world that has ended nothing is kept.
        vi.clearAllTimers();
        steps += outcome.steps;
        if (outcome.violation !== null) broken.push(`seed ${seed}: ${outcome.violation}`);
      }
      console.log(`simulated ${steps} operations over ${SEEDS} seeds`);
      expect(broken.slice(0, 12)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  test('make of a seed one run, first and after others', { timeout: TIME_LIMIT_MS }, async () => {
    const modules = await realModules();
    const outcomes = [];
    for (const seed of [9, 3, 9]) {
      outcomes.push(await simulate(modules, seed));
      vi.clearAllTimers();
    }
    const [first, other, again] = outcomes;
    expect(again).toEqual(first);
    expect(other?.steps).not.toBe(first?.steps);
  });
});

describe('the simulation catches services in which', () => {
  beforeAll(removeCopies);
  afterAll(removeCopies);
  for (const fault of FAULTS.filter(({ isRare }) => WHOLE || !isRare)) {
    test(
      fault.name,
      async () => {
        const modules = await brokenModules(fault);
        let caught: string | null = null;
        let seed = FIRST_SEED;
        for (; caught === null && seed < FIRST_SEED + FAULT_SEEDS; seed += 1)
          caught = (await simulate(modules, seed)).violation;
        console.log(`by seed ${seed - 1}: ${caught}`);
        expect(caught).not.toBeNull();
      },
      TIME_LIMIT_MS,
    );
  }

  test.skipIf(WHOLE)('rare faults are made, for the proof to find', async () => {
    for (const fault of FAULTS.filter(({ isRare }) => isRare)) await brokenModules(fault);
  });
});
