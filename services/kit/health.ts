import { GATEWAY_PROBE_MS_MAX } from './bounds.js';

/** Checks one dependency of a service. */
type HealthCheck = () => boolean | Promise<boolean>;

export type Health = ReturnType<typeof createHealth>;

export function createHealth() {
  const checks = new Map<string, HealthCheck>();
  let waitingFor: () => string[] = () => [];
  const reasons: (() => string | null)[] = [];
  let isYielding = () => false;
  let started = false;
  let reachedAtMs = Number.NEGATIVE_INFINITY;
  let draining = false;
  return {
    /** Adds a dependency; /healthz lists it by name. */
    add: (name: string, check: HealthCheck) => void checks.set(name, check),
    /** Sets what the start waits for now; shown until everything is wired. */
    waitFor: (part: string, details: () => string[] = () => []) => {
      waitingFor = () => [part, ...details()];
    },
    /** Returns what the start waits for. */
    waitingFor: () => waitingFor(),
    /** Adds a condition under which no call should come, beside starting and draining; it returns the reason or null. */
    refuseWhile: (reason: () => string | null) => void reasons.push(reason),
    /** Everything is wired: the service takes calls from now on. */
    setReady: () => {
      started = true;
    },
    /** Shutting down: permanently unready. */
    setDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    isStarted: () => started,
    /**
     * Returns why no call should come, or an empty list: `starting` with what the start waits for, `draining`, or a clock that is off. It
     * ignores NATS and the store: when they are away for every replica, a partly working service is better than none.
     */
    unready() {
      if (draining) return ['draining'];
      if (!started) return ['starting', ...waitingFor()];
      return reasons.map((reason) => reason()).filter((reason) => reason !== null);
    },
    /** While true, because of a failure of this replica only, calls come here only when no other replica is ready. */
    yieldWhile: (yields: () => boolean) => {
      isYielding = yields;
    },
    /** Whether other replicas get calls first. */
    isYielding: () => isYielding(),
    /** A gateway that admits users' writes has probed this replica. */
    setReached: () => {
      reachedAtMs = performance.now();
    },
    /** Whether that happened within the last GATEWAY_PROBE_MS_MAX, so that users' writes reach this replica. */
    isReached: () => performance.now() - reachedAtMs <= GATEWAY_PROBE_MS_MAX,
    /** Returns the current state of each dependency. */
    async parts(): Promise<Record<string, 'ok' | 'down'>> {
      const results = [...checks].map(async ([name, check]) => [name, (await passes(check)) ? 'ok' : 'down'] as const);
      return Object.fromEntries(await Promise.all(results));
    },
  };
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
