import { expect, test } from 'vitest';
import type { Fault } from '../fault-copies.js';
import type { Outcome } from './run.js';

/** First seed of a run, and whether it is the proof's: with the number of seeds from the environment, and the rare faults. */
export const FIRST_SEED = Number(process.env.SIMULATION_FIRST_SEED ?? 1);
export const WHOLE = process.env.SIMULATION_SEEDS !== undefined;

/** Number of seeds: the environment's, or that of `npm test`. */
export const seedCount = (usual: number): number => Number(process.env.SIMULATION_SEEDS ?? usual);

/** @returns the seeds with a violation, and the violation */
export async function failingSeeds(seeds: number, simulate: (seed: number) => Promise<Outcome>): Promise<string[]> {
  const broken: string[] = [];
  let steps = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed += 1) {
    const outcome = await simulate(seed);
    steps += outcome.steps;
    if (outcome.violation !== null) broken.push(`seed ${seed}: ${outcome.violation}`);
  }
  console.log(`simulated ${steps} operations over ${seeds} seeds`);
  return broken;
}

interface Deliberate<Modules> {
  faults: readonly Fault[];
  /** Number of seeds after which a fault counts as not caught. */
  seeds: number;
  timeLimitMs: number;
  modulesWith(fault: Fault): Promise<Modules>;
  simulate(modules: Modules, seed: number): Promise<Outcome>;
}

/** Declares one test per deliberate fault: some seed must catch it. Most seeds miss the rare ones, which only the proof runs. */
export function testFaultsCaught<Modules>({
  faults,
  seeds,
  timeLimitMs,
  modulesWith,
  simulate,
}: Deliberate<Modules>): void {
  for (const fault of faults.filter(({ isRare }) => WHOLE || !isRare)) {
    test(fault.name, { timeout: timeLimitMs }, async () => {
      const modules = await modulesWith(fault);
      let caught: string | null = null;
      let seed = FIRST_SEED;
      for (; caught === null && seed < FIRST_SEED + seeds; seed += 1)
        caught = (await simulate(modules, seed)).violation;
      console.log(`by seed ${seed - 1}: ${caught}`);
      expect(caught).not.toBeNull();
    });
  }

  test.skipIf(WHOLE)('rare faults can be built, for the proof to find', async () => {
    for (const fault of faults.filter(({ isRare }) => isRare)) await modulesWith(fault);
  });
}
