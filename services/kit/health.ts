import { GATEWAY_PROBE_MS_MAX } from './bounds.js';

/** One part that a service works with. */
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
    /** Adds a part; /healthz shows it by its name. */
    add: (name: string, check: HealthCheck) => void checks.set(name, check),
    /** The start waits for this now; shown until everything is wired. */
    waitFor: (part: string, details: () => string[] = () => []) => {
      waitingFor = () => [part, ...details()];
    },
    /** What the start waits for. */
    waitingFor: () => waitingFor(),
    /** A reason, while it gives one, why no call should come; beside starting and draining. */
    refuseWhile: (reason: () => string | null) => void reasons.push(reason),
    /** Everything is wired: from now on calls are welcome. */
    setReady: () => {
      started = true;
    },
    /** Shutting down: unready for good. */
    setDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    isStarted: () => started,
    /**
     * Why no call should come, nothing when it may: `starting`, with what the start waits for, `draining`, or a clock that is off. Not the
     * state of NATS or store: when these are away for every replica, a service that answers what it can is better than none.
     */
    unready() {
      if (draining) return ['draining'];
      if (!started) return ['starting', ...waitingFor()];
      return reasons.map((reason) => reason()).filter((reason) => reason !== null);
    },
    /** While this is so, by a loss of this replica's own, calls come here only where no other replica is ready. */
    yieldWhile: (yields: () => boolean) => {
      isYielding = yields;
    },
    /** Whether other replicas get calls first. */
    isYielding: () => isYielding(),
    /** A gateway that admits writes of users has probed this replica. */
    setReached: () => {
      reachedAtMs = performance.now();
    },
    /** Whether one has within the last GATEWAY_PROBE_MS_MAX: users' writes come here, if they can be made at all. */
    isReached: () => performance.now() - reachedAtMs <= GATEWAY_PROBE_MS_MAX,
    /** How each part is at this moment. */
    async parts(): Promise<Record<string, 'ok' | 'down'>> {
      const results = [...checks].map(async ([name, check]) => [name, (await runs(check)) ? 'ok' : 'down'] as const);
      return Object.fromEntries(await Promise.all(results));
    },
  };
}

async function runs(check: HealthCheck): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
