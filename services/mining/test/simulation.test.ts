import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from './faults.js';
import { brokenModules, realModules } from './simulation/modules.js';
import { simulate } from './simulation/simulate.js';

/** Seeds of one run, and where they begin: more and others by environment. */
const SEEDS = Number(process.env.LEDGER_SEEDS ?? 600);
const FIRST_SEED = Number(process.env.LEDGER_FIRST_SEED ?? 1);
const TIME_LIMIT_MS = 300_000;

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
});

describe('the simulation catches a ledger in which', () => {
  afterAll(() => rmSync(new URL('../.cache/simulation', import.meta.url), { recursive: true, force: true }));

  for (const fault of FAULTS) {
    test(
      fault.name,
      async () => {
        const modules = await brokenModules(fault);
        let caught: string | null = null;
        let seed = FIRST_SEED;
        while (caught === null && seed < FIRST_SEED + SEEDS) {
          caught = (await simulate(modules, seed)).violation;
          seed += 1;
        }
        console.log(`after ${seed - FIRST_SEED} seeds: ${caught}`);
        expect(caught).not.toBeNull();
      },
      TIME_LIMIT_MS,
    );
  }
});
