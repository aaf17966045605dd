import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from './faults.js';
import { brokenModules, realModules, removeCopies } from './simulation/modules.js';
import { planOf, simulate } from './simulation/simulate.js';
import { LEAST_BOUNDS, USUAL_BOUNDS } from './simulation/world-bounds.js';

/** Seeds of one run, and where they begin: more and others by environment. */
const WHOLE = process.env.SIMULATION_SEEDS !== undefined;
const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 60);
const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);
/** Seeds after which a deliberate fault counts as not caught; most are caught by the first, and the rare ones are looked for in the proof alone. */
const FAULT_SEEDS = Math.max(SEEDS, 5_000);
const TIME_LIMIT_MS = Math.max(600_000, SEEDS * 200);

describe('the ledger under crashes, retries, replays and lost answers', () => {
  test(
    `holds every invariant after every step, over ${SEEDS} seeds`,
    async () => {
      const modules = await realModules();
      const broken: string[] = [];
      let steps = 0;
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
        const outcome = await simulate(modules, seed);
        steps += outcome.steps;
        if (outcome.violation !== null) broken.push(`seed ${seed}: ${outcome.violation}`);
      }
      console.log(`simulated ${steps} operations over ${SEEDS} seeds`);
      expect(broken.slice(0, 5)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  test(
    'with every bound at its smallest, also under a burst',
    async () => {
      const modules = await realModules();
      const bounds = { ...LEAST_BOUNDS, waiting: USUAL_BOUNDS.waiting };
      const broken: string[] = [];
      for (let seed = FIRST_SEED; seed < FIRST_SEED + Math.ceil(SEEDS / 20); seed += 1) {
        for (const replicas of [1, 2]) {
          const plan = { bounds, faults: planOf(seed).faults, burst: { calls: 24, replicas } };
          const { violation } = await simulate(modules, seed, plan);
          if (violation !== null) broken.push(`seed ${seed}: ${violation}`);
        }
      }
      expect(broken.slice(0, 5)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});

describe('the simulation catches a ledger in which', () => {
  afterAll(removeCopies);

  for (const fault of FAULTS.filter(({ isRare }) => WHOLE || !isRare)) {
    test(
      fault.name,
      async () => {
        const modules = await brokenModules(fault);
        let caught: string | null = null;
        let seed = FIRST_SEED;
        while (caught === null && seed < FIRST_SEED + FAULT_SEEDS) {
          caught = (await simulate(modules, seed)).violation;
          seed += 1;
        }
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
