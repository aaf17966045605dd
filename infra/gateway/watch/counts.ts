/** Visits that have shown a version of a module. */
export interface Visits {
  module: string;
  version: string;
  /** How many. */
  n: number;
  /** In how many of them something went wrong. */
  failed: number;
}

export interface Count {
  visits: number;
  failed: number;
}

/** How many visits each version had lately. */
export interface Counts {
  add(visits: Visits, nowMs: number): void;
  /** Those since a time and within the window. */
  since(module: string, version: string, fromMs: number, nowMs: number): Count;
  /** Forgets what lies before the window. */
  sweep(nowMs: number): void;
}

/** Visits of one second are counted together, ms. */
const STEP_MS = 1_000;

/** @param windowMs how long a visit counts */
export function createCounts(windowMs: number): Counts {
  const steps = new Map<string, Map<number, Count>>();
  const keyOf = (module: string, version: string) => `${module} ${version}`;

  return {
    add({ module, version, n, failed }, nowMs) {
      const key = keyOf(module, version);
      const ofVersion = steps.get(key) ?? new Map<number, Count>();
      steps.set(key, ofVersion);
      const at = Math.floor(nowMs / STEP_MS) * STEP_MS;
      const before = ofVersion.get(at) ?? { visits: 0, failed: 0 };
      ofVersion.set(at, { visits: before.visits + n, failed: before.failed + Math.min(failed, n) });
    },
    since(module, version, fromMs, nowMs) {
      const sum = { visits: 0, failed: 0 };
      for (const [at, count] of steps.get(keyOf(module, version)) ?? []) {
        // The second in which the time lies counts.
        if (at + STEP_MS <= fromMs || at < nowMs - windowMs) continue;
        sum.visits += count.visits;
        sum.failed += count.failed;
      }
      return sum;
    },
    sweep(nowMs) {
      for (const [key, ofVersion] of steps) {
        for (const at of ofVersion.keys()) if (at < nowMs - windowMs) ofVersion.delete(at);
        if (ofVersion.size === 0) steps.delete(key);
      }
    },
  };
}
