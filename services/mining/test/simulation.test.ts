import { failingSeeds, seedCount, testFaultsCaught } from '@cord/kit/testing/simulation/seeds';
import { afterAll, describe, expect, test } from 'vitest';
import { FAULTS } from './faults.js';
import { brokenModules, realModules, removeCopies } from './simulation/modules.js';
import { planOf, simulate } from './simulation/simulate.js';
import { LEAST_BOUNDS, USUAL_BOUNDS } from './simulation/world-bounds.js';

const SEEDS = seedCount(60);
/** Seeds after which a deliberate fault counts as not caught; most are caught by the first, and the rare ones are looked for in the proof alone. */
const FAULT_SEEDS = Math.max(SEEDS, 5_000);
const TIME_LIMIT_MS = Math.max(600_000, SEEDS * 200);

describe('the ledger under crashes, retries, replays and lost responses', () => {
  test(
    `holds every invariant after every step, over ${SEEDS} seeds`,
    async () => {
      const modules = await realModules();
      const broken = await failingSeeds(SEEDS, (seed) => simulate(modules, seed));
      expect(broken.slice(0, 5)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );

  test(
    'holds every invariant with the smallest bounds, even under a burst',
    async () => {
      const modules = await realModules();
      const bounds = { ...LEAST_BOUNDS, waiting: USUAL_BOUNDS.waiting };
      const broken: string[] = [];
      for (const replicas of [1, 2]) {
        const simulateBurst = (seed: number) =>
          simulate(modules, seed, { bounds, faults: planOf(seed).faults, burst: { calls: 24, replicas } });
        broken.push(...(await failingSeeds(Math.ceil(SEEDS / 20), simulateBurst)));
      }
      expect(broken.slice(0, 5)).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});

describe('the simulation catches a ledger in which', () => {
  afterAll(removeCopies);

  testFaultsCaught({
    faults: FAULTS,
    seeds: FAULT_SEEDS,
    timeLimitMs: TIME_LIMIT_MS,
    modulesWith: brokenModules,
    simulate,
  });
});
