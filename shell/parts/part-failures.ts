import type { PartModule } from '@cord/sdk';

const failures = new Map<PartModule, number>();

/** Loads of a module's parts that failed in a row: after the second the panel offers Reload. */
export function failuresOf(module: PartModule): number {
  return failures.get(module) ?? 0;
}

export function countFailure(module: PartModule): void {
  failures.set(module, failuresOf(module) + 1);
}

export function forgetFailures(module: PartModule): void {
  failures.delete(module);
}
