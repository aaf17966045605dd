/** One part that must work for the service to be ready. */
export type HealthCheck = () => boolean | Promise<boolean>;

export interface Health {
  /** Adds a part; its name is shown when it fails. */
  add(name: string, check: HealthCheck): void;
  /** The start waits for this now; shown until everything is wired. */
  waitFor(part: string, details?: () => string[]): void;
  /** What the start waits for. */
  waitingFor(): string[];
  /** Everything is wired: from now on readiness is what the checks say. */
  setReady(): void;
  /** Shutting down: unready for good. */
  setDraining(): void;
  isDraining(): boolean;
  isStarted(): boolean;
  /** Parts that fail now; `starting`, with what the start waits for, and `draining` count as such. */
  failing(): Promise<string[]>;
}

export function createHealth(): Health {
  const checks = new Map<string, HealthCheck>();
  let waitingFor: () => string[] = () => [];
  let started = false;
  let draining = false;
  return {
    add: (name, check) => void checks.set(name, check),
    waitFor: (part, details = () => []) => {
      waitingFor = () => [part, ...details()];
    },
    waitingFor: () => waitingFor(),
    setReady: () => {
      started = true;
    },
    setDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    isStarted: () => started,
    async failing() {
      if (draining) return ['draining'];
      if (!started) return ['starting', ...waitingFor()];
      const results = await Promise.all([...checks].map(async ([name, check]) => ({ name, ok: await runs(check) })));
      return results.filter(({ ok }) => !ok).map(({ name }) => name);
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
