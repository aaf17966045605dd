import { PERIODIC_FIRST_MS_MAX, PERIODIC_JITTER } from './bounds.js';
import type { Clock } from './clock.js';
import type { Lease, SharedLeases } from './lease.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Shutdown } from './shutdown.js';

/** Context of one run. */
export interface Turn {
  /** Whether it runs because the movable clock was moved; the mover waits until the due work is done. */
  readonly moved: boolean;
  /**
   * Acquires the work's lease, or renews it after half of its time. Call it after a check has found something to do (nothing is written
   * when nothing is due), and again before each batch of long work.
   * @returns false while another replica holds the lease, and when the service stops
   */
  lease(): Promise<boolean>;
  /** Nothing can fall due within this many ms of real time: the next run comes no sooner, unless the movable clock is moved. */
  rest(ms: number): void;
}

/** How the work avoids running in every replica, or why it must. */
type Replicas =
  | {
      /** Length of the lease, ms by the kit's clock; at least twice `everyMs`, so that a replica keeps the work between runs. */
      leaseMs: number;
    }
  | {
      /** Why each replica must run it. */
      everywhere: string;
    };

export type PeriodicWork = Replicas & {
  /** Name in logs and figures, and of the lease. */
  name: string;
  /** Pause between runs, ms of real time, varied by a tenth so that replicas spread out. */
  everyMs: number;
  /** False when nothing waits for it: then neither a start nor the movable clock triggers a run. */
  soon?: boolean;
  /** One run. An error is logged and counted, and the next run makes up for it. */
  run(turn: Turn): Promise<unknown>;
};

export interface PeriodicParts {
  clock: Pick<Clock, 'onAdvance' | 'wrong'>;
  log: Pick<Log, 'warn'>;
  /** Needed for a work with a lease. */
  leases?: SharedLeases;
  metrics?: Metrics | undefined;
}

export type Periodic = ReturnType<typeof periodic>;

/**
 * Recurring work: the one loop of all services. Runs are sequential; a work has a lease, or states why every replica
 * runs it.
 */
export function periodic({ clock, log, leases, metrics }: PeriodicParts, work: PeriodicWork) {
  const { name, everyMs, soon = true } = work;
  const seconds = metrics?.histogram('cord_periodic_seconds');
  for (const outcome of ['done', 'failed']) seconds?.zero({ name, outcome });
  let timer: NodeJS.Timeout | undefined;
  let offAdvance: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopping = false;
  let restMs = 0;
  let held: Lease | null = null;

  const lease = async (): Promise<boolean> => {
    if (stopping) return false;
    if ('everywhere' in work) return true;
    if (!leases) throw new TypeError(`${name} needs a lease, but has no lease store`);
    held = await leases.acquire(name, work.leaseMs);
    return held !== null;
  };
  const rest = (ms: number): void => {
    restMs = ms;
  };
  const inTurn = <R>(run: (turn: Turn) => Promise<R>, moved = false): Promise<R> => {
    const turn = running.then(() => {
      restMs = 0;
      return run({ moved, lease, rest });
    });
    running = turn.catch(() => undefined);
    return turn;
  };
  const runOnce = (moved: boolean): Promise<void> =>
    inTurn(async (turn) => {
      // A clock that is off would find the wrong items due.
      if (stopping || (clock.wrong?.() ?? null) !== null) return;
      const startMs = performance.now();
      const outcome = await work.run(turn).then(
        () => 'done',
        (err: unknown) => {
          log.warn({ err, name }, 'periodic work failed; the next run makes up for it');
          return 'failed';
        },
      );
      seconds?.observe({ name, outcome }, (performance.now() - startMs) / 1_000);
    }, moved);
  const runIn = (ms: number): void => {
    timer = setTimeout(
      () => void runOnce(false).then(() => stopping || runIn(Math.max(jittered(everyMs), restMs))),
      ms,
    );
  };
  return {
    /** Starts the runs: soon and then periodically; immediately, and awaited, when the movable clock was moved. */
    start() {
      runIn(soon ? Math.random() * Math.min(everyMs, PERIODIC_FIRST_MS_MAX) : jittered(everyMs));
      if (soon) offAdvance = clock.onAdvance(() => runOnce(true));
    },
    /** Starts no further run, awaits the current one, and releases the lease, so that another replica takes over with its next run. */
    async stop() {
      stopping = true;
      clearTimeout(timer);
      offAdvance?.();
      await running;
      // It expires by itself too.
      await held?.release().catch(() => undefined);
    },
    /** Runs something between the runs: after the current one, before the next. @throws what it throws */
    inTurn: <R>(run: (turn: Turn) => Promise<R>) => inTurn(run),
  };
}

/** Starts works that stop together with the service's consumers. */
export function runWhileServing(
  kit: PeriodicParts & { shutdown: Pick<Shutdown, 'on'> },
  works: readonly PeriodicWork[],
): void {
  for (const work of works) {
    const running = periodic(kit, work);
    running.start();
    kit.shutdown.on('consumers', work.name, () => running.stop());
  }
}

function jittered(ms: number): number {
  return ms * (1 - PERIODIC_JITTER + 2 * PERIODIC_JITTER * Math.random());
}
