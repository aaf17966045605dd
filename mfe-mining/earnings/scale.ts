import type { EarningsBucket } from '@cord/contracts/http/mining';
import { sumOf } from './sources';

const STEPS = [1, 2, 2.5, 4, 5, 10];
/** Tolerance for floats of CORD slightly above a step. */
const HAIR = 1 + 1e-9;

/** Returns the end of the scale, CORD: rounded up to 1, 2, 2.5, 4 or 5 times a power of ten, at least 1. */
export function roundedUp(cord: number): number {
  // Below one CORD the lines would be at hundredths of it.
  if (!(cord > 1)) return 1;
  const power = 10 ** Math.floor(Math.log10(cord));
  const step = STEPS.find((each) => cord <= each * power * HAIR) ?? 10;
  return step * power;
}

/**
 * Returns the end of the scale for the largest bucket without its claims. Claims count when there is nothing else or
 * only one bucket, since a single cut column shows nothing.
 */
export function topOf(buckets: readonly EarningsBucket[]): number {
  const largest = (of: (bucket: EarningsBucket) => number) =>
    buckets.reduce((most, each) => Math.max(most, of(each)), 0);
  const without = largest(({ total, claims }) => sumOf([total, -claims]));
  const alone = buckets.filter(({ total }) => total > 0).length <= 1;
  return roundedUp(without > 0 && !alone ? without : largest(({ total }) => total));
}
