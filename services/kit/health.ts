import { GATEWAY_PROBE_MS_MAX } from './bounds.js';

/** One part that a service works with. */
type HealthCheck = () => boolean | Promise<boolean>;

export interface Health {
  /** Adds a part; /healthz shows it by its name. */
  add(name: string, check: HealthCheck): void;
  /** The start waits for this now; shown until everything is wired. */
  waitFor(part: string, details?: () => string[]): void;
  /** What the start waits for. */
  waitingFor(): string[];
  /** A reason, while it gives one, why no call should come; beside starting and draining. */
  refuseWhile(reason: () => string | null): void;
  /** Everything is wired: from now on calls are welcome. */
  setReady(): void;
  /** Shutting down: unready for good. */
  setDraining(): void;
  isDraining(): boolean;
  isStarted(): boolean;
  /**
   * Why no call should come, nothing when it may: `starting`, with what the start waits for, `draining`, or a clock that is off. Not the
   * state of NATS or store: when these are away for every replica, a service that answers what it can is better than none.
   */
  unready(): string[];
  /** While this is so, by a loss of this replica's own, calls come here only where no other replica is ready. */
  yieldWhile(isYielding: () => boolean): void;
  /** Whether other replicas get calls first. */
  isYielding(): boolean;
  /** A gateway that admits writes of users has probed this replica. */
  setReached(): void;
  /** Whether one has within the last GATEWAY_PROBE_MS_MAX: users' writes come here, if they can be made at all. */
  isReached(): boolean;
  /** How each part is at this moment. */
  parts(): Promise<Record<string, 'ok' | 'down'>>;
}

export function createHealth(): Health {
  const checks = new Map<string, HealthCheck>();
  let waitingFor: () => string[] = () => [];
  const reasons: (() => string | null)[] = [];
  let isYielding = () => false;
  let started = false;
  let reachedAtMs = Number.NEGATIVE_INFINITY;
  let draining = false;
  return {
    add: (name, check) => void checks.set(name, check),
    waitFor: (part, details = () => []) => {
      waitingFor = () => [part, ...details()];
    },
    waitingFor: () => waitingFor(),
    refuseWhile: (reason) => void reasons.push(reason),
    setReady: () => {
      started = true;
    },
    setDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    isStarted: () => started,
    unready() {
      if (draining) return ['draining'];
      if (!started) return ['starting', ...waitingFor()];
      return reasons.map((reason) => reason()).filter((reason) => reason !== null);
    },
    yieldWhile: (yields) => {
      isYielding = yields;
    },
    isYielding: () => isYielding(),
    setReached: () => {
      reachedAtMs = performance.now();
    },
    isReached: () => performance.now() - reachedAtMs <= GATEWAY_PROBE_MS_MAX,
    async parts() {
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
